namespace ScaleOut.Specs.Reading;

/// <summary>Rules for client settings that span several fields: of the run, and of single workers.</summary>
/// <param name="spec">Invalid fields hold their defaults.</param>
internal sealed class ClientRules(RunSpec spec, RunTarget target, ReadingContext checks)
{
    /// <summary>Fields that only Direct has, with what holds in Gateway instead.</summary>
    private static readonly IReadOnlyList<(string Field, Func<ClientSpec, bool> IsGiven, string InGateway)> DirectOnlyFields =
    [
        ("maxRequestsPerConnection", client => client.MaxRequestsPerConnection is not null, "a connection carries one request at a time"),
        ("idleConnectionTimeout", client => client.IdleConnectionTimeout is not null, "the SDK keeps connections by rules of its own"),
        ("requestTimeout", client => client.RequestTimeout is not null, "the SDK has time-outs of its own, up to 65 s"),
    ];

    public void Check()
    {
        CheckClient("client", spec.Client);
        for (var entry = 0; entry < spec.WorkerOverrides.Count; entry++)
        {
            var path = SpecPath.Item("workerOverrides", entry);
            if (checks.IsInvalid(path))
                continue;
            var (workers, client) = (spec.WorkerOverrides[entry].Workers, spec.WorkerOverrides[entry].Client);
            for (var i = 0; i < workers.Count; i++)
                checks.Rule(workers[i] >= spec.Workers, SpecPath.Item($"{path}.workers", i),
                    $"worker {workers[i]} does not exist (0..{spec.Workers - 1})", "workers");
            CheckClient($"{path}.client", client);
            CheckLoad($"{path}.client", client);
        }

        CheckModes();
    }

    private void CheckClient(string path, ClientSpec client)
    {
        checks.Rule(client.RequestTimeout is { } limit && limit.Ticks % TimeSpan.TicksPerSecond != 0, $"{path}.requestTimeout",
            $"{DurationText.Format(client.RequestTimeout ?? default)} is not a whole number of seconds, and the SDK takes no others");
        checks.Rule(
            client.ThroughputBucket is not null && spec.Container.Name is null && !spec.Workload.Kind.UsesTables(),
            $"{path}.throughputBucket", "only beside container.name: a container of the run's own has no throughput buckets",
            "container.name", "workload.kind");
        if (spec.Simulation is null && target != RunTarget.SimulatedAccount)
            return;
        var account = spec.Simulation?.Consistency ?? SimulationSpec.DefaultConsistency;
        checks.Rule(client.Consistency < account, $"{path}.consistency", $"{client.Consistency} is stronger than the account's {account}",
            "simulation.consistency");
        checks.Rule(client.PreferredRegion is not null, $"{path}.preferredRegion",
            "not with the simulated account, which has one region", "simulation");
    }

    /// <summary>Checks the load of an override. <see cref="WorkloadRules"/> checks that of the run's own client.</summary>
    private void CheckLoad(string path, ClientSpec client)
    {
        var steps = spec.Workload.Steps;
        checks.Rule(steps is not null && client.Rate is not null, $"{path}.rate", "not beside workload.steps, which say the load",
            "workload.steps");
        checks.Rule(steps is [{ Rate: null }, ..] && client.Concurrency is not null, $"{path}.concurrency",
            "not beside workload.steps, which say the load", "workload.steps");
        checks.Rule(spec.Workload.ThinkTime > TimeSpan.Zero && client.Rate is not null, $"{path}.rate",
            "not beside workload.thinkTime: an open loop does not wait for responses", "workload.thinkTime");
    }

    /// <summary>
    /// Reports fields of Direct that workers in Gateway mode get. Each is reported once, at the path where it is given, with the first such
    /// worker.
    /// </summary>
    private void CheckModes()
    {
        if (checks.IsInvalidWithin("workerOverrides") || checks.IsInvalid("workers") || spec.Workload.Kind.UsesTables())
            return;
        var named = new HashSet<string>(StringComparer.Ordinal);
        for (var worker = 0; worker < spec.Workers; worker++)
        {
            if (spec.SettingsOf(worker).ConnectionMode != ConnectionMode.Gateway)
                continue;
            foreach (var (field, isGiven, inGateway) in DirectOnlyFields)
            {
                if (PathOf(worker, isGiven) is { } path && named.Add($"{path}.{field}"))
                    checks.Rule(true, $"{path}.{field}",
                        $"only with connectionMode Direct, and worker {worker} has Gateway, where {inGateway}", "client.connectionMode");
            }
        }
    }

    /// <summary>Path of the client whose value a worker gets; null if none has one.</summary>
    private string? PathOf(int worker, Func<ClientSpec, bool> isGiven)
    {
        for (var entry = spec.WorkerOverrides.Count - 1; entry >= 0; entry--)
        {
            if (spec.WorkerOverrides[entry].Workers.Contains(worker) && isGiven(spec.WorkerOverrides[entry].Client))
                return $"{SpecPath.Item("workerOverrides", entry)}.client";
        }

        return isGiven(spec.Client) ? "client" : null;
    }
}
