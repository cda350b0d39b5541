#pragma once
/// Keys whose value is a function of time, given as a constant or as a list of points. Local.

#include "config/field.hpp"

#include <fmt/format.h>

namespace sunder::config {

/// Checks that the times of a list of mappings ascend.
template <class T>
void check_times(const std::vector<T>& points, const Value& value, const std::string& path)
{
  for (std::size_t i = 1; i < points.size(); ++i)
    if (!(points[i].time > points[i - 1].time))
      refuse(value.items[i].place, fmt::format("{}.{}.time", path, i),
             fmt::format("a time after the one before it, {:g}", points[i - 1].time),
             fmt::format("{:g}", points[i].time));
}

/// The value of a point, under `key`.
inline Field<VectorPoint> value_field(const char* key, Vec3 VectorPoint::*value, const char* unit)
{
  return vector(key, value, unit, "Its value then.");
}
inline Field<NumberPoint> value_field(const char* key, double NumberPoint::*value, const char* unit)
{
  return number(key, value, {unit, any_number}, "Its value then.");
}

/// Points {time, key}, ascending in time.
template <class Point>
Table<Point> points_table(const char* key, const char* unit)
{
  return {.fields = {required(number("time", &Point::time, {"s", not_negative}, "When it holds.")),
                     required(value_field(key, &Point::value, unit)),
                     flag("smooth", &Point::smooth,
                          "From the point before to this one by 10 s^3 - 15 s^4 + 6 s^5 instead of a straight line: "
                          "it starts and ends at rest.")}};
}

/// A constant, or a list of points.
template <class T, class Point>
Field<T> over_time(const char* key, std::vector<Point> T::*member, const char* unit, const char* text)
{
  const auto points = points_table<Point>(key, unit);
  const Field<Point> value = points.fields[1];
  return {{.key = key,
           .type = value.doc.type + " or list of mappings",
           .unit = unit,
           .fallback = "none",
           .text = text,
           .keys = docs_of(points),
           .is_list = true},
          [=](T& t, const Value& v, const std::string& path, Context& c) {
            (t.*member).clear();
            if (v.is_list() && !v.items.empty() && v.items.front().is_mapping()) {
              read_list(t.*member, v, path, points, c);
              check_times(t.*member, v, path);
            } else {
              value.read((t.*member).emplace_back(), v, path, c);
            }
          },
          [=](const T& t, const Context& c) -> std::optional<Value> {
            const auto& list = t.*member;
            if (list.empty()) return std::nullopt;
            return list.size() == 1 && list.front().time == 0 ? value.write(list.front(), c)
                                                              : write_list(list, points, c);
          }};
}

}  // namespace sunder::config
