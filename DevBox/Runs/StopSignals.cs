namespace ScaleOut.DevBox.Runs;

/// <summary>Ctrl+C, SIGTERM and the loss of the terminal: the first stops the run, the second ends the program at once.</summary>
internal sealed class StopSignals : IDisposable
{
    private readonly List<PosixSignalRegistration> _registrations = [];
    private int _count;

    /// <summary>Listens until disposed.</summary>
    public static StopSignals Listen(Action onFirst, Action onSecond)
    {
        var signals = new StopSignals();
        foreach (var signal in (PosixSignal[])[PosixSignal.SIGINT, PosixSignal.SIGTERM, PosixSignal.SIGHUP])
        {
            signals._registrations.Add(PosixSignalRegistration.Create(signal, context =>
            {
                context.Cancel = true;
                if (Interlocked.Increment(ref signals._count) == 1)
                    onFirst();
                else
                    onSecond();
            }));
        }

        return signals;
    }

    /// <summary>
    /// Ignores signals that a terminal, a supervisor or <c>timeout</c> sends to all processes of a group. A worker or an account leaves
    /// stopping to its parent.
    /// </summary>
    /// <param name="onTerminate">Called at each SIGTERM, which is still ignored. For a process that may have lost its parent.</param>
    public static IDisposable Ignore(Action? onTerminate = null)
    {
        var signals = new StopSignals();
        foreach (var signal in (PosixSignal[])[PosixSignal.SIGINT, PosixSignal.SIGQUIT, PosixSignal.SIGHUP, PosixSignal.SIGTERM])
        {
            signals._registrations.Add(PosixSignalRegistration.Create(signal, context =>
            {
                context.Cancel = true;
                if (context.Signal == PosixSignal.SIGTERM)
                    onTerminate?.Invoke();
            }));
        }

        return signals;
    }

    public void Dispose() => _registrations.ForEach(registration => registration.Dispose());
}
