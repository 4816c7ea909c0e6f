using ScaleOut.Orchestration;
using ScaleOut.Reports.Writers;
using ScaleOut.Storage;

namespace ScaleOut.DevBox.Engine;

/// <summary>What is left to do of a claimed run.</summary>
internal enum RunRemainder
{
    /// <summary>Documents, or their verification.</summary>
    Work,

    /// <summary>It is known how the run ended; its report, the deletion of its container or the mark of its end is missing.</summary>
    Conclusion,

    /// <summary>Nothing: it has ended.</summary>
    Nothing,
}

/// <summary>Finds out what is left to do of a run.</summary>
internal static class RunRemainders
{
    /// <summary>Reads it from what the run left: the mark of its end alone does not count while a form of its report is missing or empty.</summary>
    public static async Task<RunRemainder> FindAsync(RunFiles files, CancellationToken cancellationToken)
    {
        var ended = await files.ReadEndedAsync(cancellationToken);
        if (ended is not null && await HasAllFormsAsync(files, cancellationToken))
            return RunRemainder.Nothing;
        if (await files.ReadEndingAsync(cancellationToken) is not null)
            return RunRemainder.Conclusion;
        // A server that ends gives up the runs that wait: they have ended, but nothing of them is done.
        return ended is null || await files.ReadPreparedAsync(cancellationToken) is null ? RunRemainder.Work : RunRemainder.Nothing;
    }

    private static async Task<bool> HasAllFormsAsync(RunFiles files, CancellationToken cancellationToken)
    {
        foreach (var writer in ReportWriters.All)
        {
            if (await files.ReadReportAsync(writer.FileName, cancellationToken) is null)
                return false;
        }

        return true;
    }
}
