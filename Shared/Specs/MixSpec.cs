namespace ScaleOut.Specs;

/// <summary>
/// How often each kind of operation occurs, as integer weights: 95 inserts and 5 reads are 95% and 5%. The kind of an operation depends
/// only on its document number, so that a leg that is run again does the same.
/// </summary>
/// <remarks>
/// An insert or an upsert writes the document of its number. By default, every other operation works on the document of its number, which
/// was written before the start. <see cref="WorkloadSpec.Choose"/> can select other documents.
/// </remarks>
public sealed record MixSpec
{
    private const int MaxWeight = 1_000;

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    [SpecField("Weight of creates of new documents.", Min = 0, Max = MaxWeight)]
    public int Insert { get; init; }

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    [SpecField("Weight of upserts of new documents.", Min = 0, Max = MaxWeight)]
    public int Upsert { get; init; }

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    [SpecField("Weight of patches that set one property of a document.", Min = 0, Max = MaxWeight)]
    public int Patch { get; init; }

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    [SpecField("Weight of replaces, each of which reads a document and replaces it.", Min = 0, Max = MaxWeight)]
    public int Replace { get; init; }

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    [SpecField("Weight of point reads.", Min = 0, Max = MaxWeight)]
    public int Read { get; init; }

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    [SpecField("Weight of queries; they need workload.query.", Min = 0, Max = MaxWeight)]
    public int Query { get; init; }

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    [SpecField("Weight of deletes.", Min = 0, Max = MaxWeight)]
    public int Delete { get; init; }

    /// <summary>The kinds with a weight above 0.</summary>
    [JsonIgnore]
    public IReadOnlyList<(WorkloadKind Kind, int Weight)> Weights
    {
        get
        {
            (WorkloadKind Kind, int Weight)[] all =
            [
                (WorkloadKind.Insert, Insert), (WorkloadKind.Upsert, Upsert), (WorkloadKind.Patch, Patch),
                (WorkloadKind.Replace, Replace), (WorkloadKind.Read, Read), (WorkloadKind.Query, Query), (WorkloadKind.Delete, Delete),
            ];
            return [.. all.Where(one => one.Weight > 0)];
        }
    }

    /// <summary>Share of a kind in all operations, 0 to 1.</summary>
    public double ShareOf(WorkloadKind kind) =>
        Weights.Where(one => one.Kind == kind).Sum(one => one.Weight) / (double)Math.Max(1, Weights.Sum(one => one.Weight));

    /// <summary>Such as <c>95 insert, 5 read</c>.</summary>
    public override string ToString() =>
        string.Join(", ", Weights.Select(one => FormattableString.Invariant($"{one.Weight} {EnumNames.NameOf(one.Kind)}")));
}

/// <summary>
/// The kind of operation of each document number. The numbers are divided into blocks whose size is the sum of the weights. In each block,
/// each kind occurs as often as its weight says, spread over the block. Blocks begin at different places of the pattern. Without that, a
/// partition key that recurs with the same period would always get the same kind.
/// </summary>
public sealed class MixPattern
{
    /// <summary>Patterns are shared by all operations of a process, because one may have some thousand places.</summary>
    private static readonly ConcurrentDictionary<MixSpec, MixPattern> Patterns = new();

    private readonly WorkloadKind[] _pattern;

    private MixPattern(MixSpec mix)
    {
        var divisor = mix.Weights.Select(one => one.Weight).Aggregate(0, Divisor);
        _pattern = Spread([.. mix.Weights.Select(one => (one.Kind, one.Weight / divisor))]);
    }

    /// <summary>The pattern of a mix that has at least one weight.</summary>
    public static MixPattern For(MixSpec mix) => Patterns.GetOrAdd(mix, one => new MixPattern(one));

    /// <summary>Document numbers of a block.</summary>
    public int BlockSize => _pattern.Length;

    public WorkloadKind KindOf(long number)
    {
        var (block, place) = Math.DivRem(number, _pattern.Length);
        return _pattern[(int)((place + ShiftOf(block)) % _pattern.Length)];
    }

    /// <summary>The places of a block whose kinds meet a condition, as <see cref="NumberAt"/> takes them.</summary>
    public IReadOnlyList<int> PlacesOf(Func<WorkloadKind, bool> condition) =>
        [.. Enumerable.Range(0, _pattern.Length).Where(place => condition(_pattern[place]))];

    /// <summary>The document number in a block that has a place of <see cref="PlacesOf"/>.</summary>
    public long NumberAt(long block, int place) =>
        (block * _pattern.Length) + ((place + _pattern.Length - ShiftOf(block)) % _pattern.Length);

    private long ShiftOf(long block) => (long)(SplitMix64.At((ulong)block + SplitMix64.Gamma) % (ulong)_pattern.Length);

    /// <summary>Counts the operations of some kinds among the first document numbers.</summary>
    /// <param name="numbers">Number of document numbers, from 0 on.</param>
    public long CountOf(long numbers, Func<WorkloadKind, bool> condition)
    {
        var (blocks, rest) = Math.DivRem(numbers, _pattern.Length);
        var count = blocks * _pattern.Count(condition);
        for (var number = numbers - rest; number < numbers; number++)
            count += condition(KindOf(number)) ? 1 : 0;
        return count;
    }

    /// <summary>By how much the operations of the first document numbers change a container's count: writes minus deletes.</summary>
    public long RiseOf(long numbers) =>
        CountOf(numbers, kind => kind is WorkloadKind.Insert or WorkloadKind.Upsert)
        - CountOf(numbers, kind => kind == WorkloadKind.Delete);

    /// <summary>Gives each place to the kind that is furthest behind its share.</summary>
    private static WorkloadKind[] Spread(IReadOnlyList<(WorkloadKind Kind, int Weight)> weights)
    {
        var pattern = new WorkloadKind[weights.Sum(one => one.Weight)];
        var given = new int[weights.Count];
        for (var place = 0; place < pattern.Length; place++)
        {
            var next = Enumerable.Range(0, weights.Count)
                .MaxBy(kind => (weights[kind].Weight * (place + 1.0) / pattern.Length) - given[kind]);
            given[next]++;
            pattern[place] = weights[next].Kind;
        }

        return pattern;
    }

    private static int Divisor(int one, int other) => other == 0 ? one : Divisor(other, one % other);
}
