namespace ScaleOut.Simulator.Engine.Scripts;

internal enum ScriptKind
{
    StoredProcedure,
    Trigger,
    UserDefinedFunction,
}

/// <summary>A stored procedure, trigger or user-defined function of a container, as it was defined.</summary>
/// <param name="Number">From 1; never reused in the container.</param>
/// <param name="Revision">Unique in the container; another one after each replacement.</param>
internal sealed record ScriptDefinition(
    ScriptKind Kind, string Name, string Body, uint Number, uint Revision, long TimestampSeconds)
{
    /// <summary>When a trigger runs: <c>Pre</c> or <c>Post</c>; null for other scripts.</summary>
    public string? TriggerType { get; init; }

    /// <summary>The operation with which a trigger runs, or <c>All</c>; null for other scripts.</summary>
    public string? TriggerOperation { get; init; }
}

/// <summary>The persisted state of a container's scripts.</summary>
/// <param name="Last">The last number or revision that was given.</param>
internal sealed record ScriptsState(uint Last, IReadOnlyList<ScriptDefinition> All);

/// <summary>The scripts of a container. Reading takes no lock.</summary>
internal sealed class ContainerScripts
{
    private readonly Lock _changes = new();
    private volatile ScriptsState _state = new(0, []);

    public ScriptsState State => _state;

    /// <summary>In the order of their creation.</summary>
    public IEnumerable<ScriptDefinition> Of(ScriptKind kind) => _state.All.Where(script => script.Kind == kind);

    public ScriptDefinition? Find(ScriptKind kind, string name) => Of(kind).FirstOrDefault(script => script.Name == name);

    /// <param name="define">Makes the definition of a number, which is its first revision, too.</param>
    /// <exception cref="RequestException">409: the name is taken.</exception>
    public ScriptDefinition Create(Func<uint, ScriptDefinition> define) => Change(former: null, define);

    /// <param name="define">Makes the definition of a revision.</param>
    /// <param name="ifUnchanged">Whether the former one must still have its revision.</param>
    /// <exception cref="RequestException">404: the former one is gone. 409: the new name is taken. 412: another revision.</exception>
    public ScriptDefinition Replace(ScriptDefinition former, bool ifUnchanged, Func<uint, ScriptDefinition> define) =>
        Change(former, define, ifUnchanged);

    /// <exception cref="RequestException">404: it is gone. 412: it has another revision.</exception>
    public void Delete(ScriptDefinition script, bool ifUnchanged)
    {
        lock (_changes)
            _state = _state with { All = Without_NeedsLock(script, ifUnchanged) };
    }

    /// <summary>Takes over the scripts of an earlier process.</summary>
    public void Restore(ScriptsState state) => _state = state;

    private ScriptDefinition Change(ScriptDefinition? former, Func<uint, ScriptDefinition> define, bool ifUnchanged = false)
    {
        lock (_changes)
        {
            var others = former is null ? _state.All : Without_NeedsLock(former, ifUnchanged);
            var script = define(_state.Last + 1);
            if (others.Any(one => one.Kind == script.Kind && one.Name == script.Name))
                throw RequestException.Conflict();
            _state = new ScriptsState(_state.Last + 1, [.. others.Append(script).OrderBy(one => one.Number)]);
            return script;
        }
    }

    private ScriptDefinition[] Without_NeedsLock(ScriptDefinition script, bool ifUnchanged)
    {
        var present = _state.All.FirstOrDefault(one => one.Number == script.Number) ?? throw RequestException.NotFound();
        return ifUnchanged && present.Revision != script.Revision
            ? throw new RequestException(ServiceStatus.PreconditionFailed, OperationResult.PreconditionMessage)
            : [.. _state.All.Where(one => one != present)];
    }
}
