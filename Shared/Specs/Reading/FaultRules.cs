namespace ScaleOut.Specs.Reading;

/// <summary>Rules for the errors that the simulated account injects.</summary>
/// <param name="simulation">Invalid fields hold their defaults.</param>
internal sealed class FaultRules(SimulationSpec simulation, ReadingContext context)
{
    /// <param name="partitions">Number of physical partitions at the start; null if it is known only during the run.</param>
    /// <param name="partitionSources">Fields that the number depends on.</param>
    public void Check(int? partitions, string[] partitionSources)
    {
        for (var i = 0; i < simulation.Faults.Count; i++)
        {
            var path = SpecPath.Item("simulation.faults", i);
            if (!context.IsInvalid(path))
                Check(simulation.Faults[i], path, partitions, partitionSources);
        }
    }

    private void Check(FaultRule rule, string path, int? partitionsAtStart, string[] partitionSources)
    {
        context.Rule(rule is { Status: null, DelayMs: null, CloseConnection: false }, path,
            "does nothing: give status, delayMs or closeConnection", $"{path}.status", $"{path}.delayMs", $"{path}.closeConnection");
        context.Rule(rule is { SubStatus: not null, Status: null }, $"{path}.subStatus", "only beside status", $"{path}.status");
        context.Rule(rule is { AfterOperation: true, Status: 410 or 429 or 449 }, $"{path}.afterOperation",
            $"{rule.Status} says that the operation was not done: use another status, such as 408 or 503", $"{path}.status");
        context.Rule(rule.UntilSeconds <= rule.FromSeconds, $"{path}.untilSeconds",
            FormattableString.Invariant($"{rule.UntilSeconds} is not after fromSeconds {rule.FromSeconds}"), $"{path}.fromSeconds");

        if (partitionsAtStart is not { } partitions)
            return;
        partitions += (2 * simulation.Splits.Count) + simulation.Merges.Count;
        context.Rule(rule.Partition >= partitions, $"{path}.partition", $"partition {rule.Partition} does not exist (0..{partitions - 1})",
            partitionSources);
    }
}
