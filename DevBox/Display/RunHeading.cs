namespace ScaleOut.DevBox.Display;

/// <summary>A run in one line.</summary>
internal static class RunHeading
{
    /// <param name="spec">With or without an id.</param>
    /// <param name="account">Where its documents go; null for the simulated account.</param>
    /// <param name="tables">Where they go if it writes to tables; null if none is given.</param>
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
