namespace ScaleOut.Tests.Shared.Specs;

public sealed class ChargeSpecTests
{
    private const string Given = """
        {"simulation":{"charges":{
          "readPoints":[{"bytes":1024,"requestUnits":2},{"bytes":4096,"requestUnits":4}],
          "writePoints":[{"bytes":512,"requestUnits":10},{"bytes":4096,"requestUnits":12}],
          "perIndexEntry":0.5,"systemPropertyBytes":0,"perPatchedProperty":1,"query":{"page":3,"firstLookup":0.25,"kilobyte":0.1}}}}
        """;

    [Fact]
    public void Model_OfAFullSpec_HasItsFiguresAndNoOthers()
    {
        var model = ChargeSpec.ModelOf(RunSpecReader.Read(Given).Value!.Simulation!.Charges);
        // 2 KB lie 1/21 of 3/21 RU above 1 KB in the standard table, and here a third of the way from 2 to 4.
        Assert.Equal((2, 2.67, 4), (Ru(model.Read(100)), Ru(model.Read(2_048)), Ru(model.Read(4_096))));
        // The next row keeps its standard ratio to the largest that is given: 28 of 24.
        Assert.Equal(4.67, Ru(model.Read(8_192)));
        Assert.Equal(
            (11, 22, 23.29),
            (Ru(model.Create(1_024, 2)), Ru(model.Replace(1_024, 1_024, 4)), Ru(model.Patch(RequestUnits.From(22), 1))));
        Assert.Equal((3.35, 0.118), (model.Query.OfPage(2), Math.Round(model.Query.OfLoaded(1_024, isFound: true, isEvaluated: false), 3)));
    }

    /// <summary>A measured size has the charge of its whole row, also of documents that are a little larger.</summary>
    [Fact]
    public void Model_PointsInsideRows_ChargeTheWholeRow()
    {
        SizeCharge[] points = [new(155, 5.2), new(800, 5.4), new(61_440, 25)];
        var model = ChargeSpec.ModelOf(new ChargeSpec { WritePoints = points });
        Assert.Equal(
            (5.4, 5.4, 25, 25),
            (Ru(model.Create(155, 0)), Ru(model.Create(819, 0)), Ru(model.Create(40_000, 0)), Ru(model.Create(65_331, 0))));
        Assert.InRange(Ru(model.Create(1_800, 0)), 6.29, 7);
        var rows = Enumerable.Range(0, 12).Select(i => Ru(model.Create((1_024L << i) - 205, 0))).ToList();
        Assert.Equal(rows.Order(), rows);
    }

    [Fact]
    public void Model_OfPartOfASpec_IsOtherwiseStandard()
    {
        var model = ChargeSpec.ModelOf(RunSpecReader.Read("""{"simulation":{"charges":{"perIndexEntry":0}}}""").Value!.Simulation!.Charges);

        Assert.Equal(model.Create(100, 0), model.Create(100, 50));
        Assert.Equal(ChargeModel.Default.ReadRows, model.ReadRows);
        Assert.Equal(ChargeModel.Default.Query, model.Query);
        Assert.Same(ChargeModel.Default, ChargeSpec.ModelOf(null));
    }

    /// <summary>A document of 900 bytes is in the row of 1 KB of an account whose system properties take 100.</summary>
    [Fact]
    public void Model_OtherSystemProperties_MoveTheRows()
    {
        var model = ChargeSpec.ModelOf(new ChargeSpec { SystemPropertyBytes = 100 });
        Assert.Equal((4.95, 6.29), (Ru(model.Create(924, 0)), Ru(model.Create(925, 0))));
    }

    [Fact]
    public void Check_SpecWithCharges_ReadsBackAsItWas()
    {
        var spec = RunSpecReader.Read(Given).Value!;
        var again = RunSpecReader.Check(spec).Value!.Simulation!.Charges!;

        Assert.Equal(spec.Simulation!.Charges!.ReadPoints!, again.ReadPoints!);
        Assert.Equal(
            spec.Simulation.Charges with { ReadPoints = null, WritePoints = null },
            again with { ReadPoints = null, WritePoints = null });
    }

    [Theory]
    [InlineData("""{"readPoints":[{"bytes":1,"requestUnits":1}]}""", "readPoints: has 1 items; out of range 2..100")]
    [InlineData("""{"readPoints":5}""", "readPoints: 5 is not an array")]
    [InlineData("""{"writePoints":[{"bytes":1},{"bytes":2,"requestUnits":1}]}""", "writePoints[0].requestUnits: is missing")]
    [InlineData("""{"writePoints":[{"bytes":0,"requestUnits":1},{"bytes":2,"requestUnits":1}]}""",
        "writePoints[0].bytes: 0 is out of range 1..4194304")]
    [InlineData("""{"writePoints":[{"bytes":1,"requestUnits":0},{"bytes":2,"requestUnits":1}]}""",
        "writePoints[0].requestUnits: 0 is out of range 0.01..100000")]
    [InlineData("""{"readPoints":[{"bytes":1024,"requestUnits":1},{"bytes":1024,"requestUnits":2}]}""",
        "readPoints[1].bytes: 1024 is not more than the 1024 of the point before it: list the points by ascending size")]
    [InlineData("""{"readPoints":[{"bytes":1024,"requestUnits":2.5},{"bytes":2048,"requestUnits":2}]}""",
        "readPoints[1].requestUnits: 2 is less than the 2.5 of the smaller point before it")]
    [InlineData("""{"perIndexEntry":-1}""", "perIndexEntry: -1 is out of range 0..100000")]
    [InlineData("""{"perIndexEntry":1e400}""", "perIndexEntry: 1e400 is out of range 0..100000")]
    [InlineData("""{"query":{"found":-0.1}}""", "query.found: -0.1 is out of range 0..100000")]
    [InlineData("""{"perIndexEntrys":1}""", "perIndexEntrys: unknown field; did you mean 'perIndexEntry'?")]
    [InlineData("""{"perIndexedTerm":0.2}""", "perIndexedTerm: unknown field; 'perIndexEntry' replaces it")]
    [InlineData("""{"minIndexedWrite":1}""", "minIndexedWrite: unknown field; 'perIndexEntry' replaces it")]
    [InlineData("""{"minIndexedReplace":1}""", "minIndexedReplace: unknown field; 'perIndexEntry' replaces it")]
    [InlineData("""{"index":"Documented"}""", "index: unknown field; 'perIndexEntry' replaces it")]
    [InlineData("""{"perQueryPage":2}""", "perQueryPage: unknown field; 'query' replaces it")]
    [InlineData("""{"loadedShare":2}""", "loadedShare: unknown field; 'query' replaces it")]
    public void Read_BadCharges_SaysWhere(string charges, string error) => Assert.Equal(
        $"simulation.charges.{error}",
        Assert.Single(RunSpecReader.Read($$$"""{"simulation":{"charges":{{{charges}}}}}""").Errors).ToString());

    [Fact]
    public void Estimate_WithOtherCharges_FollowsThem()
    {
        // 11 index entries of 0.5 RU beside 10 RU for a document in the first row.
        var spec = RunSpecReader.Read(Given).Value!;
        Assert.Equal(15.5 * spec.Documents, RunEstimate.From(spec).RequestUnits);
    }

    [Theory]
    [InlineData(ConsistencyLevel.Strong, ConsistencyLevel.Strong, 2)]
    [InlineData(ConsistencyLevel.BoundedStaleness, null, 2)]
    [InlineData(ConsistencyLevel.Strong, ConsistencyLevel.Eventual, 1)]
    [InlineData(null, null, 1)]
    public void Estimate_OfReads_DoublesWithTheirConsistency(ConsistencyLevel? account, ConsistencyLevel? client, double requestUnits)
    {
        var spec = new RunSpec
        {
            Workload = new WorkloadSpec { Kind = WorkloadKind.Read }, Client = new ClientSpec { Consistency = client },
            Simulation = new SimulationSpec { Consistency = account },
        };

        Assert.Equal(requestUnits * spec.Documents, RunEstimate.From(spec).RequestUnits);
    }

    private static double Ru(RequestUnits charge) => charge.Rounded().Value;
}
