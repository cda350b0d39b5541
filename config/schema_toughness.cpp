#include "config/schema_toughness.hpp"

#include "config/schema_directions.hpp"
#include "config/suggest.hpp"
#include "core/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sunder::config {
namespace {

using material::Cohesion;
using material::Material;
using material::ReferenceSize;
using material::Softening;
using material::ToughnessForm;

Field<Material> scale_field()
{
  const std::string expected = "three numbers > 0 [-]";
  return {{.key = "scale",
           .type = "[1, 2, 3]",
           .unit = "-",
           .range = "> 0",
           .fallback = "[1, 1, 1]",
           .text = "S of T 4.8: how much a pull along each of its axes counts; with 0.5 along an axis, stress along it "
                   "counts a quarter."},
          [=](Material& m, const Value& v, const std::string& path, Context&) {
            m.toughness_scale = read_vector(v, path, "-");
            if (!(m.toughness_scale.minCoeff() > 0)) refuse(v.place, path, expected, inline_text(v));
          },
          [](const Material& m, const Context&) {
            return m.directional_toughness() ? std::optional(write_vector(m.toughness_scale)) : std::nullopt;
          }};
}

Field<Material> axes_field()
{
  auto doc = orientation_doc("R of T 4.8: where the axes of `scale` point in the mesh.");
  doc.fallback = "the material's";
  return {doc,
          [](Material& m, const Value& v, const std::string& path, Context& c) {
            m.toughness_axes = read_orientation(v, path, c);
          },
          [](const Material& m, const Context&) {
            return m.directional_toughness() ? std::optional(write_orientation(m.toughness_axes)) : std::nullopt;
          }};
}

/// One form of toughness that fills a T with toughness_form and toughness: of a material, or of an interface.
template <class T>
Field<T> form_field(const char* key, ToughnessForm form, double T::*value, ToughnessForm T::*of, NumberRule rule,
                    const char* text)
{
  auto field = number(key, value, rule, text);
  field.doc.fallback = "none";
  field.read = [=, read = field.read](T& t, const Value& v, const std::string& path, Context& c) {
    read(t, v, path, c);
    t.*of = form;
  };
  field.write = [=, write = field.write](const T& t, const Context& c) {
    return t.*of == form ? write(t, c) : std::nullopt;
  };
  return field;
}

/// G_c alone, or what new surface takes beside a strength: check_energy() sees which.
Field<Material> energy_field()
{
  const NumberRule rule{"J/m^2", positive};
  auto field = form_field("G_c", ToughnessForm::G_c, &Material::toughness, &Material::toughness_form, rule,
                          "Fracture energy, K_Ic^2 (1 - nu^2) / E in plane strain; for isotropic elasticity. Beside "
                          "`stress`: what new surface takes; a crack holds together until it has.");
  field.write = [rule, write = field.write](const Material& m, const Context& c) {
    return m.cohesion.energy > 0 ? std::optional(write_number(m.cohesion.energy, rule)) : write(m, c);
  };
  return field;
}

/// A field of the cohesion of a material or of an interface. It is written if new surface takes energy.
template <class T>
Field<T> of_cohesion(const Field<Cohesion>& field)
{
  return {field.doc,
          [field](T& t, const Value& v, const std::string& path, Context& c) { field.read(t.cohesion, v, path, c); },
          [field](const T& t, const Context& c) {
            return t.cohesion.energy > 0 ? field.write(t.cohesion, c) : std::nullopt;
          }};
}

/// How young cracks hold together.
template <class T>
std::vector<Field<T>> holding_fields()
{
  return {
      of_cohesion<T>(choice(
          "softening", &Cohesion::softening,
          {{"linear", Softening::linear}, {"bilinear", Softening::bilinear}, {"exponential", Softening::exponential}},
          "How the pull across a young crack fades, beside `stress` and `G_c`: bilinear is concrete's.")),
      of_cohesion<T>(number("shear_ratio", &Cohesion::shear_ratio, {"-", {.min = 0.2, .max = 10}},
                            "What a young crack bears along itself over what it bears across, beside `stress` and "
                            "`G_c`."))};
}

void check_holding(const Value& value, const std::string& path)
{
  if (value.find("stress") && value.find("G_c")) return;
  for (const char* key : {"softening", "shear_ratio"})
    if (const Value* const given = value.find(key))
      refuse(given->key_place, key_path(path, key), "stress and G_c beside it", "one or none of them");
}

/// A strength and an energy are one law. Both stand in the mapping, or neither counts beside another form.
void check_energy(Material& m, const Value& value, const std::string& path)
{
  const Value *const stress = value.find("stress"), *const energy = value.find("G_c");
  if (!stress || !energy) {
    m.cohesion = {};
    return (void)one_of(value, path, {"force", "stress", "K_Ic", "G_c"});
  }
  one_of(value, path, {"force", "stress", "K_Ic"});
  m.toughness_form = ToughnessForm::stress;
  m.toughness = read_number(*stress, key_path(path, "stress"), {"Pa", positive});
  m.cohesion.energy = read_number(*energy, key_path(path, "G_c"), {"J/m^2", positive});
}

template <class T>
Field<T> reference_field()
{
  const NumberRule rule{"m", positive, "unrefined or none"};
  return {{.key = "reference_size",
           .type = "number",
           .unit = rule.unit,
           .word = rule.word,
           .range = rule.range.text(),
           .fallback = "none",
           .text = "Edge length of the elements `force` was found for: on others of size h it is force (h / "
                   "reference_size)^1.5, the same K_Ic. unrefined: that of the body's own mesh, before `refine`."},
          [rule](T& t, const Value& v, const std::string& path, Context&) {
            if (v.is_scalar() && v.text == "none")
              t.reference = {};
            else if (v.is_scalar() && v.text == "unrefined")
              t.reference = {ReferenceSize::Kind::unrefined, 0};
            else
              t.reference = {ReferenceSize::Kind::given, read_number(v, path, rule)};
          },
          [rule](const T& t, const Context&) -> std::optional<Value> {
            if (t.reference.kind == ReferenceSize::Kind::none) return std::nullopt;
            if (t.reference.kind == ReferenceSize::Kind::unrefined) return make_scalar("unrefined");
            return write_number(t.reference.size, rule);
          }};
}

/// Forms other than a force know no reference size; one that the base gave to its force is dropped.
template <class T>
void check_reference(T& t, ToughnessForm form, const Value& value, const std::string& path)
{
  if (form == ToughnessForm::force) return;
  if (const Value* const given = value.find("reference_size"))
    refuse(given->key_place, key_path(path, "reference_size"), "it beside force only", "another form of toughness");
  t.reference = {};
}

template <class T>
std::vector<Field<T>> form_fields(double T::*value, ToughnessForm T::*of)
{
  return {form_field("force", ToughnessForm::force, value, of, {"N", positive, "none", unlimited},
                     "tau: a node pulled apart harder than this fails (the sources), whatever the size of the mesh "
                     "unless reference_size says for which it is; none: unbreakable."),
          reference_field<T>(),
          form_field("stress", ToughnessForm::stress, value, of, {"Pa", positive},
                     "Tensile strength: fails where the stress around a node exceeds it."),
          form_field("K_Ic", ToughnessForm::K_Ic, value, of, {"Pa m^0.5", positive},
                     "Fracture toughness: the stress intensity at which a crack runs.")};
}

Field<Material> weibull_field()
{
  using material::Weibull;
  const Table<Weibull> table{
      .fields = {required(number("modulus", &Weibull::modulus, {"-", {.min = 0.5, .max = 1000}},
                                 "m: small is scattered, glass about 5 to 10, steel above 20.")),
                 required(number("volume", &Weibull::volume, {"m^3", positive},
                                 "V0, for which the toughness given is the scale (63 % fail below it); the size of a "
                                 "flaw's neighbourhood.")),
                 integer("seed", &Weibull::seed, {.min = 0, .max = 2147483647}, "Another seed is another specimen.")}};
  return mapping("weibull", &Material::weibull, table,
                 "Strength that varies from place to place, with the material, whatever the mesh.");
}

/// A group that a bare number stands for: its force.
template <class T>
Field<T> with_shorthand(Field<T> group, Field<T> force, const char* fallback)
{
  group.doc.type = force.doc.type, group.doc.word = "none or mapping", group.doc.range = force.doc.range,
  group.doc.unit = force.doc.unit, group.doc.fallback = fallback, group.doc.shorthand = force.doc.key;
  group.read = [force, read = group.read](T& t, const Value& v, const std::string& path, Context& c) {
    (v.is_mapping() ? read : force.read)(t, v, path, c);
  };
  return group;
}

}  // namespace

Field<material::Material> toughness_field()
{
  Table<Material> table{.fields = form_fields(&Material::toughness, &Material::toughness_form)};
  const auto force = table.fields.front();
  table.fields.push_back(energy_field());
  for (auto& field : holding_fields<Material>()) table.fields.push_back(field);
  table.fields.insert(table.fields.end(), {weibull_field(), scale_field(), axes_field()});
  table.check = [](Material& m, const Value& v, const std::string& path, Context&) {
    check_holding(v, path);
    check_energy(m, v, path);
    check_reference(m, m.toughness_form, v, path);
  };
  return with_shorthand(group<Material>("toughness", table, "When it breaks. A bare number is `force`."), force,
                        "none");
}

Field<Scene> interfaces_field()
{
  using material::Interface;
  Table<Interface> table{.fields = form_fields(&Interface::toughness, &Interface::form)};
  auto energy =
      number("G_c", &Cohesion::energy, {"J/m^2", positive},
             "Beside `stress`: what each square metre that comes apart takes; it holds together until it has.");
  energy.doc.fallback = "none";
  table.fields.push_back(of_cohesion<Interface>(energy));
  for (auto& field : holding_fields<Interface>()) table.fields.push_back(field);
  table.check = [](Interface& i, const Value& v, const std::string& path, Context&) {
    one_of(v, path, {"force", "stress", "K_Ic"});
    if (const Value* const given = v.find("G_c"); given && !v.find("stress"))
      refuse(given->key_place, key_path(path, "G_c"), "stress beside it", "none");
    check_holding(v, path);
    check_reference(i, i.form, v, path);
  };
  const auto index_of_name = [](const std::string& name, const Context& c) {
    const auto at = std::find_if(c.materials.begin(), c.materials.end(), [&](const auto& m) { return m.name == name; });
    return static_cast<std::size_t>(at - c.materials.begin());
  };
  Field<Interface> between{
      {.key = "between", .type = "two names", .fallback = "required", .text = "Materials of bodies or their regions."},
      [index_of_name](Interface& i, const Value& v, const std::string& path, Context& c) {
        if (!v.is_list() || v.items.size() != 2 || !v.items[0].is_scalar() || !v.items[1].is_scalar())
          refuse(v, path, "the names of two materials");
        std::vector<std::string> names;
        for (const auto& m : c.materials) names.push_back(m.name);
        for (const Value& name : v.items)
          if (index_of_name(name.text, c) == c.materials.size())
            throw Error(fmt::format("{}: {}: {}", name.place.text(), path, expected_one_of(name.text, names)));
        i.a = static_cast<MaterialIndex>(index_of_name(v.items[0].text, c));
        i.b = static_cast<MaterialIndex>(index_of_name(v.items[1].text, c));
        if (i.a == i.b) refuse(v.place, path, "the names of two materials", v.items[0].text + " twice");
      },
      [](const Interface& i, const Context& c) {
        return make_list({make_scalar(c.materials.at(i.a).name, true), make_scalar(c.materials.at(i.b).name, true)});
      }};
  const auto toughness =
      with_shorthand(group<Interface>("toughness", table, "When it breaks; a bare number is `force`."),
                     table.fields.front(), "required");
  return list("interfaces", &Scene::interfaces, Table<Interface>{.fields = {between, toughness}},
              "How well pairs of materials that share nodes are joined; without it, as the lesser of both.");
}

}  // namespace sunder::config
