using ScaleOut.DevBox.Processes;
using ScaleOut.Specs;
using ScaleOut.Workers.Documents;

namespace ScaleOut.DevBox.Commands;

/// <summary>What a plan asks of this machine: cores and files. Known to be there before a run begins.</summary>
internal static class MachineChecks
{
    /// <summary>What this machine does not have, by the plan's fields.</summary>
    public static IReadOnlyList<string> FaultsOf(RunSpec spec)
    {
        var faults = new List<string>();
        var cores = CoreSet.Allowed().Count;
        if (spec.Client.Cores > cores)
            faults.Add($"client.cores: {spec.Client.Cores} is more than the {cores} cores of this machine");
        for (var entry = 0; entry < spec.WorkerOverrides.Count; entry++)
        {
            if (spec.WorkerOverrides[entry].Client.Cores is { } asked && asked > cores)
                faults.Add($"workerOverrides[{entry}].client.cores: {asked} is more than the {cores} cores of this machine");
        }

        faults.AddRange(DocumentFaults(spec));
        return faults;
    }

    /// <summary>What can be done, but not as well as asked.</summary>
    public static IReadOnlyList<string> WarningsOf(RunSpec spec)
    {
        var asked = Enumerable.Range(0, spec.Workers).Sum(worker => spec.SettingsOf(worker).Cores ?? 0);
        var cores = CoreSet.Allowed().Count;
        if (asked == 0)
            return [];
        return !CoreSet.IsSupported ? ["client.cores: processes cannot be bound to cores on this system; it has no effect."]
            : asked > cores ? [$"client.cores: the workers ask for {asked} cores together, and this machine has {cores}: they share them."]
            : [];
    }

    private static IReadOnlyList<string> DocumentFaults(RunSpec spec)
    {
        if (spec.Document.Csv is null)
            return [];
        try
        {
            CsvTable.Read(spec.Document);
            return [];
        }
        catch (DocumentException e)
        {
            return e.Faults;
        }
    }
}
