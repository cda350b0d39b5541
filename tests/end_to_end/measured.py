"""What a case measured, printed as jobs/validate reports it, for the tests in this folder. Each returns what is wrong."""


def compare(quantity, found, expected, tolerance, unit):
    share = found / expected - 1
    print(f"measured | {quantity} | {found:.4g} | {expected:.4g} | {100 * share:+.1f} % | {100 * tolerance:.0f} % | {unit}")
    return [] if abs(share) <= tolerance else [f"{quantity}: expected {expected:.4g} {unit}, got {found:.4g}"]


def within(quantity, found, low, high, unit):
    print(f"measured | {quantity} | {found:.4g} | {low:.4g} to {high:.4g} | {unit}")
    return [] if low <= found <= high else [f"{quantity}: expected {low:.4g} to {high:.4g} {unit}, got {found:.4g}"]
