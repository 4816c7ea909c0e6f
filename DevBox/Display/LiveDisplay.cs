using Spectre.Console;

namespace ScaleOut.DevBox.Display;

/// <summary>A picture of the run that is redrawn in place, for terminals.</summary>
internal sealed class LiveDisplay(IAnsiConsole console, string heading) : IRunDisplay
{
    /// <summary>Three pictures a second: the workers report their progress no more often.</summary>
    private static readonly TimeSpan Interval = TimeSpan.FromMilliseconds(333);

    public async Task<T> ShowWhileAsync<T>(RunTally tally, Task<T> work)
    {
        try
        {
            await console.Live(Text.Empty).Overflow(VerticalOverflow.Crop).StartAsync(live => DrawAsync(live, tally, work));
        }
        catch (IOException)
        {
            // A terminal that is gone is no reason to give up the run.
        }

        return await work;
    }

    private async Task DrawAsync(LiveDisplayContext live, RunTally tally, Task work)
    {
        while (true)
        {
            var ended = work.IsCompleted;
            live.UpdateTarget(LivePicture.From(tally.Snapshot(), heading, console.Profile.Width, console.Profile.Height));
            if (ended)
                return;
            await Task.WhenAny(work, Task.Delay(Interval));
        }
    }
}
