namespace ScaleOut.DevBox.Runs;

/// <summary>Ctrl+C, SIGTERM and the loss of the terminal: the first stops the run, the second ends the program at once.</summary>
internal sealed class StopSignals : IDisposable
{
    private readonly List<PosixSignalRegistration> _registrations;

    private StopSignals(IEnumerable<PosixSignal> signals, Action<PosixSignal> onSignal) => _registrations =
    [
        .. signals.Select(signal => PosixSignalRegistration.Create(signal, context =>
        {
            context.Cancel = true;
            onSignal(context.Signal);
        })),
    ];

    /// <summary>Listens until disposed.</summary>
    public static StopSignals Listen(Action onFirst, Action onSecond)
    {
        var count = 0;
        return new StopSignals([PosixSignal.SIGINT, PosixSignal.SIGTERM, PosixSignal.SIGHUP], _ =>
        {
            if (Interlocked.Increment(ref count) == 1)
                onFirst();
            else
                onSecond();
        });
    }

    /// <summary>
    /// Ignores signals that a terminal, a supervisor or <c>timeout</c> sends to all processes of a group. A worker or an account leaves
    /// stopping to its parent.
    /// </summary>
    /// <param name="onTerminate">Called at each SIGTERM, which is still ignored. For a process that may have lost its parent.</param>
    public static IDisposable Ignore(Action? onTerminate = null) => new StopSignals(
        [PosixSignal.SIGINT, PosixSignal.SIGQUIT, PosixSignal.SIGHUP, PosixSignal.SIGTERM],
        signal =>
        {
            if (signal == PosixSignal.SIGTERM)
                onTerminate?.Invoke();
        });

    public void Dispose() => _registrations.ForEach(registration => registration.Dispose());
}
