#include "config/schema_material.hpp"

#include "config/schema_directions.hpp"
#include "config/schema_toughness.hpp"
#include "config/suggest.hpp"
#include "core/error.hpp"
#include "material/laws.hpp"

#include <fmt/format.h>

namespace sunder::config {
namespace {

using material::Material;

/// A material while its mapping is read: E, nu and the engineering constants are not kept.
struct MaterialInput {
  Material m;
  std::optional<double> young, poisson;
  std::optional<material::Mat6> C, D;  ///< General constants, in the material's own axes.
  std::optional<material::Orthotropic> orthotropic, transverse;
  bool has_base = false;
};

/// For writing.
MaterialInput input_of(const Material& m)
{
  MaterialInput in;
  in.m = m;
  if (m.anisotropy) in.C = m.anisotropy->own_C(), in.D = m.anisotropy->own_D();
  return in;
}

Field<MaterialInput> base_field()
{
  return {{.key = "base",
           .type = "text",
           .fallback = "none",
           .text = "Material to start from, of the library or an earlier one of the scene; other keys change it."},
          [](MaterialInput& in, const Value& v, const std::string& path, Context& c) {
            in.m = named_material(v, path, c), in.has_base = true;
            if (in.m.anisotropy) in.C = in.m.anisotropy->own_C(), in.D = in.m.anisotropy->own_D();
          },
          [](const MaterialInput&, const Context&) { return std::nullopt; }};
}

Field<MaterialInput> engineering_field(const char* key, std::optional<double> MaterialInput::*member, NumberRule rule,
                                       const char* text)
{
  return {
      {.key = key, .type = "number", .unit = rule.unit, .range = rule.range.text(), .fallback = "none", .text = text},
      [=](MaterialInput& in, const Value& v, const std::string& path, Context&) {
        in.*member = read_number(v, path, rule);
      },
      [](const MaterialInput&, const Context&) { return std::nullopt; }};
}

/// Six rows of constants, written only for a material that has them.
Field<MaterialInput> constants_field(const char* key, std::optional<material::Mat6> MaterialInput::*member,
                                     const char* unit, const char* text)
{
  return {constants_doc(key, unit, text),
          [=](MaterialInput& in, const Value& v, const std::string& path, Context&) {
            in.*member = read_constants(v, path, unit);
          },
          [=](const MaterialInput& in, const Context&) {
            return in.*member ? std::optional(write_constants(*(in.*member))) : std::nullopt;
          }};
}

/// Read into the constants C, as which it is written.
Field<MaterialInput> unwritten(Field<MaterialInput> field)
{
  field.write = [](const MaterialInput&, const Context&) { return std::nullopt; };
  return field;
}

/// A key of isotropic materials only.
Field<MaterialInput> isotropic_only(Field<Material> field)
{
  field.write = [write = field.write](const Material& m, const Context& c) {
    return m.anisotropy ? std::nullopt : write(m, c);
  };
  return within(&MaterialInput::m, std::move(field));
}

Field<MaterialInput> orientation_field()
{
  return {orientation_doc("Where the material's own axes 1, 2, 3 point in the mesh; they turn with the body."),
          [](MaterialInput& in, const Value& v, const std::string& path, Context& c) {
            in.m.axes = read_orientation(v, path, c);
          },
          [](const MaterialInput& in, const Context&) {
            return in.m.axes.isIdentity(0) ? std::nullopt : std::optional(write_orientation(in.m.axes));
          }};
}

/// Lame constants from what was given: both of them, E and nu, or a base with some of either pair changed.
void complete_lame(MaterialInput& in, const Value& value, const std::string& path)
{
  const bool lambda = value.find("lambda"), mu = value.find("mu");
  if ((lambda || mu) && (in.young || in.poisson))
    refuse(value.place, path, "lambda and mu, or E and nu", "some of both");
  const bool isotropic_base = in.has_base && !in.m.anisotropy;
  if (!isotropic_base && !(lambda && mu) && !(in.young && in.poisson))
    refuse(value.place, path, "lambda and mu, or E and nu, or C, or engineering constants, or a base",
           "not both of a pair");
  if (!in.young && !in.poisson) return;
  Material& m = in.m;
  if (isotropic_base) {
    if (!in.poisson) in.poisson = m.lambda / (2 * (m.lambda + m.mu));
    if (!in.young) in.young = m.mu * (3 * m.lambda + 2 * m.mu) / (m.lambda + m.mu);
  }
  const double E = *in.young, nu = *in.poisson;
  m.lambda = E * nu / ((1 + nu) * (1 - 2 * nu)), m.mu = E / (2 * (1 + nu));
}

void check_lame(const Material& m, const Value& value, const std::string& path)
{
  const Value* const lambda = value.find("lambda");
  if (!(m.mu > 0)) refuse(value.place, path, "mu > 0 [Pa]", fmt::format("{:g}", m.mu));
  if (!(3 * m.lambda + 2 * m.mu > 0))
    refuse((lambda ? *lambda : value).place, path, "3 lambda + 2 mu > 0",
           fmt::format("lambda {:g}, mu {:g}", m.lambda, m.mu));
}

/// The law of stress from what was given: isotropic, unless elasticity or viscosity is not.
void complete_law(MaterialInput& in, const Value& value, const std::string& path)
{
  Material& m = in.m;
  const bool isotropic = value.find("lambda") || value.find("mu") || in.young || in.poisson;
  const Value* const general = one_of(value, path, {"C", "orthotropic", "transversely_isotropic"});
  if (isotropic && general) refuse(general->key_place, path, "either isotropic constants or " + general->key, "both");
  if (isotropic) in.C.reset();
  if (in.orthotropic) in.C = material::orthotropic_stiffness(*in.orthotropic);
  if (in.transverse) in.C = material::orthotropic_stiffness(*in.transverse);
  if (general) check_definite(*in.C, general->place, key_path(path, general->key), "Pa", false);
  if (!in.C) complete_lame(in, value, path), check_lame(m, value, path);

  const bool viscosities = value.find("phi") || value.find("psi");
  if (const Value* const D = value.find("D")) {
    if (viscosities) refuse(D->key_place, path, "either phi and psi or D", "both");
    check_definite(*in.D, D->place, key_path(path, "D"), "Pa s", true);
  } else if (viscosities) {
    in.D.reset();
  }
  m.anisotropy.reset();
  if (in.C || in.D)
    m.anisotropy.emplace(in.C.value_or(material::isotropic_stiffness(m.lambda, m.mu)),
                         in.D.value_or(material::isotropic_stiffness(m.phi, m.psi)), m.axes);
}

std::vector<std::pair<std::string, material::Law>> law_words()
{
  return {{"saint_venant_kirchhoff", material::Law::saint_venant_kirchhoff},
          {"neo_hookean", material::Law::neo_hookean}};
}

std::string word_of(material::Law law)
{
  for (const auto& [word, meaning] : law_words())
    if (meaning == law) return word;
  return {};
}

/// What the law cannot do with the other keys, told at the first of them that is in the way: the law's, if a base has
/// brought the others.
void check_law(const Material& m, const Value& value, const std::string& path)
{
  const auto refuse_with = [&](std::initializer_list<const char*> keys, const std::string& expected,
                               const std::string& got) {
    const Value* culprit = value.find("law");
    const char* name = "law";
    for (const char* key : keys)
      if (const Value* const found = value.find(key)) culprit = found, name = key;
    refuse((culprit ? *culprit : value).place, key_path(path, name), expected + " with law: " + word_of(m.law), got);
  };
  const auto check = [&]<class L>(L /*of m*/) {
    if (L::isotropic && m.anisotropy)
      refuse_with({"D", "transversely_isotropic", "orthotropic", "C"}, "isotropic constants",
                  "constants with directions");
    if (m.law == material::Law::neo_hookean && m.lambda < 0)
      refuse_with({"nu", "lambda"}, "lambda >= 0 (nu >= 0)", fmt::format("lambda {:g}", m.lambda));
    if (!material::PlasticLaw<L> && m.plastic())
      refuse_with({"k1"}, "no plasticity (k1: none)", fmt::format("k1 {:g}", m.k1));
  };
  material::with_law(m, check, material::Laws{});
}

void check_material(MaterialInput& in, const Value& value, const std::string& path, Context&)
{
  complete_law(in, value, path);
  Material& m = in.m;
  const Value* const toughness = value.find("toughness");
  if (value.find("orientation") && !(toughness && toughness->find("orientation"))) m.toughness_axes = m.axes;
  if (m.toughness_form == material::ToughnessForm::G_c && m.anisotropy)
    refuse(value.place, key_path(path, "toughness"), "K_Ic with elasticity that has directions", "G_c");
  const auto place_of = [&value](const char* key) { return (value.find(key) ? *value.find(key) : value).place; };
  if (!in.has_base && !value.find("density")) refuse(value.place, key_path(path, "density"), "a value", "nothing");
  check_law(m, value, path);
  if (m.k2 < m.k1)
    refuse(place_of("k2"), key_path(path, "k2"), "at least k1", fmt::format("k1 {:g}, k2 {:g}", m.k1, m.k2));
}

Table<MaterialInput> material_table()
{
  const auto in = [](Field<Material> field) { return within(&MaterialInput::m, std::move(field)); };
  const char* const pair = "required without base, E and nu, C, or engineering constants";
  return {
      .fields =
          {
              base_field(),
              in(choice("law", &Material::law, law_words(),
                        "Elasticity beyond small strains, where both agree: linear in the Green strain, or stiffer the "
                        "further it is squeezed, as of rubber. neo_hookean: isotropic, lambda >= 0, no plasticity.")),
              with_default_text(pair, isotropic_only(number("lambda", &Material::lambda, {"Pa", any_number},
                                                            "First Lame constant, with 3 lambda + 2 mu > 0."))),
              with_default_text(pair, isotropic_only(number("mu", &Material::mu, {"Pa", positive}, "Shear modulus."))),
              engineering_field("E", &MaterialInput::young, {"Pa", positive}, "Young's modulus, with nu."),
              engineering_field("nu", &MaterialInput::poisson,
                                {"-", {.min = -1, .max = 0.5, .above_min = true, .below_max = true}},
                                "Poisson's ratio, with E."),
              constants_field("C", &MaterialInput::C, "Pa",
                              "General elasticity, S = C : E, rows and columns 11 22 33 23 13 12 (Voigt); rows of six, "
                              "or from the diagonal on. Symmetric and positive definite."),
              unwritten(mapping("orthotropic", &MaterialInput::orthotropic, orthotropic_table(),
                                "General elasticity by nine engineering constants, as of wood.")),
              unwritten(mapping("transversely_isotropic", &MaterialInput::transverse, transverse_table(),
                                "By five, as of a bundle of fibres along axis 1.")),
              isotropic_only(number("phi", &Material::phi, {"Pa s", not_negative}, "Viscosity that goes with lambda.")),
              isotropic_only(number("psi", &Material::psi, {"Pa s", not_negative}, "Viscosity that goes with mu.")),
              constants_field("D", &MaterialInput::D, "Pa s",
                              "General viscosity, S = D : dE/dt, instead of phi and psi; written as C."),
              orientation_field(),
              with_default_text("required without base", in(number("density", &Material::density, {"kg/m^3", positive},
                                                                   "Mass per volume of the undeformed material."))),
              in(toughness_field()),
              in(number("residual", &Material::residual, {"-", share},
                        "alpha: share of what exceeds the toughness that is passed on to the crack tip.")),
              in(number(
                  "k1", &Material::k1, {"-", not_negative, "none", unlimited},
                  "Norm of the deviator of F^T F - 1, twice Green's strain, at which it yields: sqrt(2/3) times yield "
                  "stress over mu. No hardening follows. none: elastic.")),
              in(number(
                  "k2", &Material::k2, {"-", not_negative, "none", unlimited},
                  "Greatest norm of plastic strain, in the same measure, at least k1; beyond, it is elastic again.")),
              in(words("source", &Material::source, read_text, "Where the numbers come from.")),
          },
      .check = check_material};
}

}  // namespace

std::vector<std::string> known_materials(const Context& c)
{
  std::vector<std::string> names;
  for (const auto& [name, m] : c.own_materials) names.push_back(name);
  if (!c.library) return names;
  for (const material::Material& m : c.library())
    if (!c.own_materials.contains(m.name)) names.push_back(m.name);
  return names;
}

material::Material named_material(const Value& value, const std::string& path, const Context& c)
{
  if (!value.is_scalar()) refuse(value, path, "the name of a material");
  const auto own = c.own_materials.find(value.text);
  if (own != c.own_materials.end()) return own->second;
  if (c.library)
    for (const material::Material& m : c.library())
      if (m.name == value.text) return m;
  const std::vector<std::string> known = known_materials(c);
  if (known.empty()) refuse(value, path, "no base, as there is no material before this one");
  throw Error(fmt::format("{}: {}: {}", value.place.text(), path, expected_one_of(value.text, known)));
}

material::Material read_material(const std::string& name, const Value& value, const std::string& path, Context& c)
{
  static const auto table = material_table();
  MaterialInput in;
  read_mapping(in, value, path, table, c);
  in.m.name = name;
  return in.m;
}

Value write_material(const material::Material& m, const Context& c)
{
  static const auto table = material_table();
  return write_mapping(input_of(m), table, c);
}

std::vector<KeyDoc> material_keys()
{
  return docs_of(material_table());
}

}  // namespace sunder::config
