#pragma once
/// Obstacles: rigid bodies that elements may touch. Plain data, the same on every rank.

#include "contact/law/response.hpp"
#include "rigid/body.hpp"

namespace sunder::contact {

struct Obstacle : rigid::Body {
  Response response;
};

}  // namespace sunder::contact
