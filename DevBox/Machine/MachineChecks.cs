using System.Globalization;
using ScaleOut.DevBox.Processes;
using ScaleOut.Specs;
using ScaleOut.Workers.Documents;

namespace ScaleOut.DevBox.Machine;

/// <summary>What a spec asks of this machine: cores, files, memory. Known to be there before a run begins.</summary>
internal static class MachineChecks
{
    /// <summary>What this machine does not have, by the spec's fields.</summary>
    /// <param name="spec">The run's.</param>
    /// <param name="target">Whether the run has a simulated account on this machine.</param>
    public static IReadOnlyList<SpecFault> FaultsOf(RunSpec spec, RunTarget target)
    {
        var documents = DocumentFaults(spec);
        return [.. CoreFaults(spec), .. documents, .. OpenFileFaults(spec, target)];
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

    private static IEnumerable<SpecFault> CoreFaults(RunSpec spec)
    {
        var cores = CoreSet.Allowed().Count;
        if (spec.Client.Cores > cores)
            yield return new SpecFault("client.cores", $"{spec.Client.Cores} is more than the {cores} cores of this machine", BeyondSchema: true);
        for (var entry = 0; entry < spec.WorkerOverrides.Count; entry++)
        {
            if (spec.WorkerOverrides[entry].Client.Cores is { } asked && asked > cores)
                yield return new SpecFault($"workerOverrides[{entry}].client.cores", $"{asked} is more than the {cores} cores of this machine", BeyondSchema: true);
        }
    }

    private static IEnumerable<SpecFault> OpenFileFaults(RunSpec spec, RunTarget target)
    {
        var need = OpenFileNeed.Of(spec, target);
        if (OpenFileLimit.Read() is { } limit && need.Files > limit)
            yield return new SpecFault("workers", OpenFileLimit.Describe(need.Process, need.Files, limit), BeyondSchema: true);
    }

    private static IReadOnlyList<SpecFault> DocumentFaults(RunSpec spec)
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
            return [.. e.Faults.Select(FaultOf)];
        }
    }

    /// <summary>The texts begin with the field that they are about.</summary>
    private static SpecFault FaultOf(string text)
    {
        var end = text.IndexOf(": ", StringComparison.Ordinal);
        return end < 0 ? new SpecFault("document.csv", text, BeyondSchema: true) : new SpecFault(text[..end], text[(end + 2)..], BeyondSchema: true);
    }
}
