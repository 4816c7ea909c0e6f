using ScaleOut.Specs;

namespace ScaleOut.DevBox.Display;

/// <summary>A run in one line.</summary>
internal static class RunHeading
{
    /// <param name="spec">With its id.</param>
    /// <param name="account">The account's address; null for the simulated one.</param>
    public static string Of(RunSpec spec, Uri? account)
    {
        var settings = spec.SettingsOf(0);
        var workload = spec.Workload.Kind == WorkloadKind.Batch ? $"batches of {spec.Workload.DocumentsPerOperation}" : spec.Workload.Kind.ToString().ToLowerInvariant();
        var target = spec.Container.Name is { } name ? $"container {name}" : $"{ConsoleNumbers.Count(spec.Container.Throughput)} RU/s";
        return $"run{(spec.Id is { } id ? $" {id}" : "")}: {ConsoleNumbers.Count(spec.Documents)} documents, {Plural(spec.Workers, "worker")}, {workload}, {settings.ConnectionMode} {Load(spec, settings)}, {target}, {account?.Host ?? "simulated account"}";
    }

    private static string Load(RunSpec spec, ClientSettings settings) =>
        spec.Workload.Steps is { } steps ? $"in {Plural(steps.Count, "step")}"
        : settings.Rate is { } rate ? $"at {ConsoleNumbers.Decimal(rate)}/s each"
        : $"x{ConsoleNumbers.Count(settings.Concurrency)}";

    private static string Plural(int count, string noun) => $"{ConsoleNumbers.Count(count)} {noun}{(count == 1 ? "" : "s")}";
}
