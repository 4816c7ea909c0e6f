using ScaleOut.Orchestration;
using ScaleOut.Specs;
using ScaleOut.Storage;

namespace ScaleOut.Workers.Accounts;

/// <summary>Prepares, counts and cleans up the containers of runs on one account. Only a container that a run made is ever changed.</summary>
public interface IContainerControl : IDisposable
{
    /// <summary>Creates the run's own container, or checks the named one, and counts it. What the user can correct comes back as reasons in the result, not as an exception.</summary>
    /// <param name="spec">A valid spec with its id.</param>
    /// <param name="store">Keeps what was found: a repeated call, after a crash or by a resumed run, gives the first one's result.</param>
    /// <param name="cancellationToken">Ends it early, with an <see cref="OperationCanceledException"/>.</param>
    Task<Preparation> PrepareAsync(RunSpec spec, IRunStore store, CancellationToken cancellationToken);

    /// <summary>Counts the container after the last write; when it cannot be counted, the result says why.</summary>
    Task<Verification> VerifyAsync(PreparedContainer container, CancellationToken cancellationToken);

    /// <summary>Deletes the container if the run made it. One that is gone already is fine.</summary>
    /// <exception cref="AccountException">It could not be deleted.</exception>
    Task CleanUpAsync(PreparedContainer container, CancellationToken cancellationToken);

    /// <summary>Deletes what a run that never got its container ready may have created: an empty container of its own that it noted before.</summary>
    /// <param name="spec">The run's claimed spec.</param>
    /// <param name="store">Has the run's note.</param>
    /// <param name="cancellationToken">Ends it early.</param>
    /// <returns>Whether nothing of the run's is left; false when the account could not be asked.</returns>
    Task<bool> GiveUpAsync(RunSpec spec, IRunStore store, CancellationToken cancellationToken);
}
