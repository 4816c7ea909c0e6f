namespace ScaleOut.DevBox.Runs;

/// <summary>Ctrl+C, SIGTERM and the loss of the terminal: the first stops the run, the second ends the program at once.</summary>
internal sealed class StopSignals : IDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(0.5);

    private readonly List<PosixSignalRegistration> _registrations;
    private ITimer? _timer;

    private StopSignals(IEnumerable<PosixSignal> signals, Action<PosixSignal> onSignal) => _registrations =
    [
        .. signals.Select(signal => PosixSignalRegistration.Create(signal, context =>
        {
            context.Cancel = true;
            onSignal(context.Signal);
        })),
    ];

    /// <summary>Listens until disposed.</summary>
    /// <param name="isUnread">Whether nobody reads the output any more, which is a first signal; null if that is not asked.</param>
    public static StopSignals Listen(Action onFirst, Action onSecond, Func<bool>? isUnread = null)
    {
        var (count, unread) = (0, 0);
        var signals = new StopSignals([PosixSignal.SIGINT, PosixSignal.SIGTERM, PosixSignal.SIGHUP], _ =>
        {
            if (Interlocked.Increment(ref count) == 1)
                onFirst();
            else
                onSecond();
        });
        if (isUnread is not null)
            signals._timer = TimeProvider.System.CreateTimer(
                _ =>
                {
                    // At the second look only: Ctrl+C also ends what reads the output, and its signal is to be the first.
                    unread = isUnread() ? unread + 1 : 0;
                    if (unread == 2 && Interlocked.CompareExchange(ref count, 1, 0) == 0)
                        onFirst();
                },
                state: null, Interval, Interval);
        return signals;
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

    public void Dispose()
    {
        _timer?.Dispose();
        _registrations.ForEach(registration => registration.Dispose());
    }
}
