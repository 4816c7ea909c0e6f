namespace ScaleOut.Analysis.Reports.Writers;

/// <summary>The work that a claimed run still needs.</summary>
public enum RemainingWork
{
    /// <summary>Documents are not done, or not verified.</summary>
    Documents,

    /// <summary>It is known how the run ended; its report, the deletion of its container or the mark of its end is missing.</summary>
    Conclusion,

    /// <summary>The run has ended.</summary>
    None,
}

public static class RemainingWorkReader
{
    /// <summary>
    /// Reads the items of the run. A run with an end mark still has work if a form of its report is missing or changed. A run that could
    /// not start, or that a server dropped while it waited, has an end mark as well, but it can still start.
    /// </summary>
    public static async Task<RemainingWork> ReadAsync(RunFiles files, CancellationToken cancellationToken)
    {
        var ended = await files.FindEndedAsync(cancellationToken);
        if (await files.HasAsync(RunFiles.EndingName, cancellationToken))
            return ended is not null && await HasAllFormsAsync(files, cancellationToken) ? RemainingWork.None : RemainingWork.Conclusion;
        return ended is null || !await files.HasAsync(RunFiles.PreparedName, cancellationToken)
            ? RemainingWork.Documents
            : RemainingWork.None;
    }

    private static async Task<bool> HasAllFormsAsync(RunFiles files, CancellationToken cancellationToken)
    {
        if (await files.FindReportDamageAsync(cancellationToken) is not null)
            return false;
        foreach (var form in RunForms.Kind.Forms)
        {
            if (await files.ReadReportAsync(form.FileName, cancellationToken) is null)
                return false;
        }

        return true;
    }
}
