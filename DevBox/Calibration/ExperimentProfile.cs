namespace ScaleOut.DevBox.Calibration;

/// <summary>The profile of the account that an experiment measured, from its stored reports.</summary>
internal static class ExperimentProfile
{
    /// <exception cref="InputException">There is no such experiment, it has not ended, or its runs make no profile.</exception>
    public static async Task<AccountProfile> MakeAsync(RunFolder folder, CancellationToken cancellationToken)
    {
        var id = folder.RunId;
        var store = new FolderRunStore(folder.RunsFolder);
        var files = new ExperimentFiles(store, id);
        try
        {
            if (await files.ReadSpecAsync(cancellationToken) is not { } claimed)
                throw new InputException($"there is no experiment '{id}' in {folder.RunsFolder}.");
            if (JsonNode.Parse(claimed)?["limit"] is not null)
                throw new InputException($"'{id}' is a search for a limit; a profile is made from an experiment with variants.");
            var json = await files.ReadReportAsync(JobFiles.ReportName, cancellationToken);
            if (json is null || ExperimentForms.Kind.Read(json) is not { State: not ExperimentState.Stopped } experiment)
                throw new InputException($"experiment '{id}' has not ended; go on with: {folder.ResumeCommand}");

            var reports = new Dictionary<string, RunReport>();
            foreach (var run in experiment.Variants.SelectMany(variant => variant.Runs).Select(run => run.RunId))
            {
                if (await RunForms.Kind.ReadAsync(store, run, cancellationToken) is { } report)
                    reports.Add(run, report);
            }

            var (profile, reason) = ProfileBuilder.From(experiment, reports);
            return profile ?? throw new InputException($"experiment '{id}' makes no profile: {reason}.");
        }
        catch (EvidenceException e)
        {
            throw InterruptedRun.Unusable(folder, e);
        }
    }

    /// <summary>
    /// Writes a profile and its page, and shows the page. A profile whose file cannot be written is printed.
    /// </summary>
    /// <param name="pageFile">Path of the page, <c>.html</c> or <c>.md</c>.</param>
    /// <param name="console">Where the page is shown.</param>
    /// <param name="printed">Receives the profile as JSON if its file cannot be written.</param>
    /// <exception cref="InputException">A file cannot be written.</exception>
    public static async Task WriteAsync(AccountProfile profile, string file, string pageFile, TextWriter console, TextWriter printed)
    {
        var (json, page) = (ProfileFile.Write(profile), ProfilePage.From(profile));
        if (await ErrorOfAsync(() => File.WriteAllBytesAsync(file, json)) is { } error)
        {
            await printed.WriteLineAsync(Encoding.UTF8.GetString(json));
            throw new InputException($"--json: '{file}' cannot be written: {error} The profile is printed above instead: save that text.");
        }

        if (await ErrorOfAsync(() => File.WriteAllTextAsync(pageFile, ConsolePage.FileText(page, pageFile))) is { } pageError)
            throw new InputException($"--report: the profile is in '{file}', but its page '{pageFile}' cannot be written: {pageError}");
        await ConsolePage.WriteAsync(console, page, ("profile", Path.GetFullPath(file)), ("page", Path.GetFullPath(pageFile)));
    }

    /// <summary>Why a file could not be written; null if it was written.</summary>
    private static async Task<string?> ErrorOfAsync(Func<Task> writeAsync)
    {
        try
        {
            await writeAsync();
            return null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return OneLine.From(e.Message);
        }
    }
}
