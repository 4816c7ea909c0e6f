namespace ScaleOut.DevBox.Orchestration;

/// <summary>Makes the short run by which <c>size</c> learns what an operation costs a client in CPU.</summary>
internal static class MeasuringRun
{
    /// <summary>Makes the run in a temporary folder, which is deleted afterwards.</summary>
    /// <exception cref="InputException">The run did not come to its end.</exception>
    public static async Task<RunReport> RunAsync(RunSpec spec, CancellationToken cancellationToken)
    {
        var folder = Directory.CreateTempSubdirectory("devbox-size-");
        try
        {
            var run = new RunFolder(folder.FullName, spec.Id!);
            using var claimed = RunLock.TryCreate(run);
            await new RunFiles(new FolderRunStore(folder.FullName), run.RunId).TryClaimAsync(spec, cancellationToken);
            await using var session = new RunSession(spec, run, await RunAccounts.StartAsync(run, spec, cancellationToken));
            await using var killed = cancellationToken.Register(session.Kill);
            var result = await session.RunAsync();
            return result.Report is { State: RunState.Complete } report
                ? report
                : throw new InputException(InputError.Of(
                    "--cpu-per-operation",
                    $"The run that measures this machine did not come to its end: {string.Join(" ", result.Outcome.Reasons)} Give "
                        + "--cpu-per-operation, or the report of a run."));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }
}
