#define CATCH_CONFIG_RUNNER
#include "core/log.hpp"
#include "core/mpi_session.hpp"

#include <catch2/catch.hpp>

#include <mpi.h>

#include <iostream>
#include <sstream>

namespace {

/// A test that one rank leaves early would have the others wait for it: the job ends there.
class EndTogether : public Catch::TestEventListenerBase {
public:
  using TestEventListenerBase::TestEventListenerBase;

  void assertionStarting(const Catch::AssertionInfo& info) override { goes_on_ = goes_on_after(info); }

  bool assertionEnded(const Catch::AssertionStats& stats) override
  {
    const Catch::AssertionResult& result = stats.assertionResult;
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const bool thrown = result.getTestMacroName().empty();  // by the test itself, outside of any assertion
    if (result.isOk() || size == 1 || (goes_on_ && !thrown)) return false;
    std::ostringstream text;
    text << result.getSourceInfo() << ": " << result.getExpressionInMacro() << ": " << result.getExpandedExpression()
         << " " << result.getMessage();
    for (const Catch::MessageInfo& more : stats.infoMessages) text << "; " << more.message;
    sunder::end_job(text.str(), static_cast<sunder::ExitStatus>(1));
  }

private:
  static bool goes_on_after(const Catch::AssertionInfo& info)
  {
    return (info.resultDisposition & Catch::ResultDisposition::ContinueOnFailure) != 0;
  }
  bool goes_on_ = true;
};
CATCH_REGISTER_LISTENER(EndTogether)

}  // namespace

#ifdef __SANITIZE_ADDRESS__
// Open MPI unloads its plugins at the end, and what they leak could no longer be told from our leaks (tests/lsan.supp).
extern "C" int dlclose(void*)
{
  return 0;
}
#endif

// Every rank runs every test; only the output of rank 0 and of failing ranks is shown.
int main(int argc, char** argv)
{
  const sunder::MpiSession session(argc, argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  sunder::set_up_log(rank == 0, true);
  std::stringstream kept;
  auto* const terminal = std::cout.rdbuf();
  if (rank != 0) std::cout.rdbuf(kept.rdbuf());
  int result = Catch::Session().run(argc, argv);
  std::cout.rdbuf(terminal);
  if (rank != 0 && result != 0) std::cout << "rank " << rank << ":\n" << kept.str() << std::flush;
  MPI_Allreduce(MPI_IN_PLACE, &result, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return result;
}
