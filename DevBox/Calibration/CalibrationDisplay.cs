using System.Diagnostics;
using ScaleOut.Workers.Calibration;

namespace ScaleOut.DevBox.Calibration;

/// <summary>A line at each phase of a calibration, and every ten seconds within one.</summary>
internal sealed class CalibrationDisplay(TextWriter output, CostMeter cost)
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(10);

    private readonly long _started = Stopwatch.GetTimestamp();
    private readonly Lock _lock = new();
    private string _phase = "";

    /// <summary>Shows that a phase begins.</summary>
    public void Show(string phase)
    {
        lock (_lock)
        {
            _phase = phase;
            WriteLine();
        }
    }

    /// <summary>Shows the phase again and again until the work ends, and gives back what it gave.</summary>
    public async Task<T> ShowWhileAsync<T>(Task<T> work)
    {
        while (await Task.WhenAny(work, Task.Delay(Interval)) != work)
        {
            lock (_lock)
                WriteLine();
        }

        return await work;
    }

    private void WriteLine() => output.WriteLine(
        $"{ConsoleNumbers.Time(Stopwatch.GetElapsedTime(_started)),7}  {_phase}  {ConsoleNumbers.Count((long)cost.Spent)} RU");
}
