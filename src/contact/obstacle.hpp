#pragma once
/// Rigid bodies that elements run into.

#include "contact/law/response.hpp"
#include "rigid/body.hpp"

namespace sunder::contact {

struct Obstacle : rigid::Body {
  Response response;
};

}  // namespace sunder::contact
