namespace ScaleOut.DevBox.Display;

/// <summary>What a user wants to know when a run has ended, before opening the report.</summary>
internal static class RunSummary
{
    private const int ShownWarnings = 5;

    /// <summary>The summary's lines.</summary>
    /// <param name="result">The ended run.</param>
    /// <param name="page">Path of the report for people.</param>
    public static IEnumerable<string> From(RunResult result, string page)
    {
        var report = result.Report;
        yield return "";
        var sentences = Sentences.Result(report);
        yield return (report.Simulated ? "Simulated: " : "") + sentences[0];
        foreach (var sentence in sentences.Skip(1))
            yield return sentence;
        yield return Sentences.State(report);
        foreach (var (name, value) in Rows(result))
            yield return $"  {name,-14} {value}";
        // What went wrong after the report was written, such as a container that could not be deleted, stands only in the outcome.
        foreach (var reason in result.Outcome.Reasons.Except(report.Warnings))
            yield return $"  note: {reason}";
        foreach (var warning in report.Warnings.Take(ShownWarnings))
            yield return $"  note: {warning}";
        if (report.Warnings.Count > ShownWarnings)
            yield return $"  note: {report.Warnings.Count - ShownWarnings} more in the report";
        yield return $"  {"report",-14} {page}";
    }

    private static IEnumerable<(string Name, string Value)> Rows(RunResult result)
    {
        var report = result.Report;
        var documents = report.Documents;
        var words = WorkloadWords.From(report.Spec.Workload.Kind);
        yield return (
            "documents",
            $"{Numbers.Count(documents.Inserted)} {words.Done.ToLowerInvariant()}"
            + NotZero(documents.AlreadyPresent, words.AlreadyDone.ToLowerInvariant())
            + NotZero(documents.Failed, "failed")
            + NotZero(documents.Remaining, "remaining")
            + (report.Spec.Workload.Kind.LeavesCount() ? "" : $", verified {Numbers.Count(documents.Verified)}"));
        if (report.Throughput.MakespanPerSecond is not null)
        {
            yield return ("rate", Rate(report));
            yield return report.Spec.Workload.Kind.UsesTables() ? ("request units", "none: a table is charged by no RU") : (
                "request units",
                $"{Numbers.Brief(report.RequestUnits.PerSecondMean)} RU/s of {Numbers.Brief(report.RequestUnits.BudgetPerSecond)}, "
                + $"{Numbers.Brief(report.RequestUnits.PerInsert)} RU per {words.One}"
                + (report.Requests.Items is null ? "" : $", requests per query {Numbers.Brief(report.Requests.CallsPerOperation)}"));
            yield return (
                "p99",
                $"{Numbers.Brief(report.LatencyMs.Operation.P99)} ms an operation, {Numbers.Brief(report.LatencyMs.Attempt.P99)} ms an "
                + "attempt");
            yield return (
                "throttled",
                $"{Numbers.Count(report.Requests.Throttled)} of {Numbers.Count(report.Requests.Attempts)} "
                + $"attempts{NotZero(report.Requests.OtherErrors, "other errors")}");
        }

        if (report.LostLegs > 0)
            yield return ("lost legs", Numbers.Count(report.LostLegs));
        if (PhysicsSource.From(report.Simulated ? report.Spec.Simulation : null, report.StartedAt) is { } physics)
            yield return ("physics", physics);
        if (result.Ledger is { } ledger)
            yield return ("ledger", ledger.Text);
    }

    private static string Rate(RunReport report) => (report.Throughput.OverlapPerSecond is { } overlap
        ? $"{Numbers.Brief(overlap)} documents/s while all workers were at work ({report.Throughput.OverlapSeconds} s), "
            + $"{Numbers.Brief(report.Throughput.MakespanPerSecond)} from first to last"
        : $"{Numbers.Brief(report.Throughput.MakespanPerSecond)} documents/s from first to last")
        + (report.Throughput is { AskedPerSecond: { } asked, Rate: { } rate }
            ? $"; {Numbers.Percent(rate / asked)} of the {Numbers.Brief(asked)}/s asked for"
            : "");

    private static string NotZero(long count, string what) => count == 0 ? "" : $", {Numbers.Count(count)} {what}";
}

/// <summary>A run in one line.</summary>
internal static class RunHeading
{
    /// <param name="spec">With or without an id.</param>
    /// <param name="account">Where its documents go; null for the simulated account.</param>
    /// <param name="tables">Where they go if it writes to tables; null where none is given.</param>
    public static string From(RunSpec spec, AccountConnection? account, TableAccount? tables) =>
        From(spec, spec.Workload.Kind.UsesTables() ? tables?.Endpoint : account?.Endpoint);

    /// <param name="spec">With or without an id.</param>
    /// <param name="account">The account's address; null for the simulated one.</param>
    public static string From(RunSpec spec, Uri? account)
    {
        var settings = spec.SettingsOf(0);
        var usesTables = spec.Workload.Kind.UsesTables();
        var workload = spec.Workload.Kind.WritesBatches()
            ? $"batches of {spec.Workload.DocumentsPerOperation}"
            : spec.Workload.Kind.ToString().ToLowerInvariant();
        var target = usesTables ? "table"
            : spec.Container.Name is { } name ? $"container {name}"
            : $"{ConsoleNumbers.Count(spec.Container.Throughput)} RU/s";
        var way = usesTables ? "HTTPS" : settings.ConnectionMode.ToString();
        return $"run{(spec.Id is { } id ? $" {id}" : "")}: {ConsoleNumbers.Count(spec.Documents)} documents, "
            + $"{Plural(spec.Workers, "worker")}, {workload}, {way} {Load(spec, settings)}, {target}, "
            + $"{account?.Host ?? (usesTables ? "Table storage" : "simulated account")}";
    }

    private static string Load(RunSpec spec, ClientSettings settings) =>
        spec.Workload.Steps is { } steps ? $"in {Plural(steps.Count, "step")}"
        : settings.Rate is { } rate ? $"at {ConsoleNumbers.Decimal(rate)}/s each"
        : $"x{ConsoleNumbers.Count(settings.Concurrency)}";

    private static string Plural(int count, string noun) => $"{ConsoleNumbers.Count(count)} {noun}{(count == 1 ? "" : "s")}";
}
