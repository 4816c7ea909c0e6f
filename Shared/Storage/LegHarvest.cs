namespace ScaleOut.Storage;

/// <summary>What a run's legs left in the run store.</summary>
/// <param name="Results">By worker and leg, one for each leg that ended.</param>
/// <param name="LostLegs">Attempts at legs that were begun and left no result that can be used.</param>
public sealed record LegHarvest(IReadOnlyList<LegResult> Results, int LostLegs)
{
    /// <summary>Items that were found damaged, now or earlier, by worker and leg.</summary>
    public IReadOnlyList<DamagedItem> Damaged { get; init; } = [];

    /// <summary>Legs whose results are missing, by worker and leg: what they did is in no figure.</summary>
    public IReadOnlyList<MissingLeg> Missing { get; init; } = [];

    /// <summary>The common start; null when it was not set.</summary>
    public StartInstant? Start { get; init; }

    /// <summary>When programs began to orchestrate the run: the first, and those that resumed it. Empty in Azure.</summary>
    public IReadOnlyList<DateTimeOffset> Begun { get; init; } = [];
}

/// <summary>An item of a leg that was found damaged.</summary>
/// <param name="Name">Its name and number; of a result that was set aside the name under which it is kept.</param>
/// <param name="Item">The run's id and the name under which it was found.</param>
/// <param name="Reason">What is wrong with it, such as <c>it is empty</c>.</param>
public sealed record DamagedItem(LegName Name, string Item, string Reason)
{
    /// <summary>For people: what was found where, and what became of it.</summary>
    public string Text => Name.Item == LegItem.Damaged
        ? $"{Item} is damaged: {Reason}. It is kept as {Name.Text[(Name.Text.LastIndexOf('/') + 1)..]}"
        : $"{Item} is damaged: {Reason}";
}

/// <summary>A leg without a result that can be used.</summary>
/// <param name="Worker">From 0.</param>
/// <param name="Leg">From 1.</param>
/// <param name="Documents">Documents that only it had done; null for a worker's last leg, of which nothing says how many they were.</param>
public sealed record MissingLeg(int Worker, int Leg, long? Documents);
