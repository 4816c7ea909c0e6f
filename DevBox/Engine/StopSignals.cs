using System.Runtime.InteropServices;

namespace ScaleOut.DevBox.Engine;

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

    /// <summary>Ignores what a terminal sends to all processes at once: a worker or an account leaves the stopping to its parent.</summary>
    public static IDisposable Ignore()
    {
        var signals = new StopSignals();
        foreach (var signal in (PosixSignal[])[PosixSignal.SIGINT, PosixSignal.SIGQUIT, PosixSignal.SIGHUP])
            signals._registrations.Add(PosixSignalRegistration.Create(signal, context => context.Cancel = true));
        return signals;
    }

    public void Dispose() => _registrations.ForEach(registration => registration.Dispose());
}
