namespace ScaleOut.DevBox.Display;

internal static class RunHeading
{
    /// <param name="spec">With or without an id.</param>
    /// <param name="account">The account that the run writes to; null for the simulated account.</param>
    /// <param name="tables">The account of a run that writes to tables; null if none is given.</param>
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
        var target = spec switch
        {
            _ when usesTables => "table",
            { Container.Name: { } name } => $"container {name}",
            _ when !spec.SaysThroughput(simulated: account is null) => $"the RU/s of database {spec.Container.Database}",
            _ => $"{Numbers.Count(spec.Container.Throughput)} RU/s",
        };
        var way = usesTables ? "HTTPS" : settings.ConnectionMode.ToString();
        return $"run{(spec.Id is { } id ? $" {id}" : "")}: {Numbers.Count(spec.Documents)} documents, "
            + $"{Words.Amount(spec.Workers, "worker")}, {workload}, {way} {Load(spec, settings)}, {target}, "
            + $"{account?.Host ?? (usesTables ? "Table storage" : "simulated account")}";
    }

    private static string Load(RunSpec spec, ClientSettings settings)
    {
        if (spec.Workload.Steps is { } steps)
            return $"in {Words.Amount(steps.Count, "step")}";
        return settings.Rate is { } rate ? $"at {Numbers.Brief(rate)}/s each" : $"x{Numbers.Count(settings.Concurrency)}";
    }
}
