namespace ScaleOut.Tests.Shared.Specs;

public sealed class ChargeSpecTests
{
    private const string Given = """
        {"simulation":{"charges":{
          "readPoints":[{"bytes":1024,"requestUnits":2},{"bytes":4096,"requestUnits":4}],
          "writePoints":[{"bytes":512,"requestUnits":10},{"bytes":4096,"requestUnits":12}],
          "perIndexedTerm":0.5,"perPatchedProperty":1,"perQueryPage":3,"perIndexLookup":0.25,"loadedShare":0.1,"returnedShare":0.9}}}
        """;

    [Fact]
    public void Model_OfAFullSpec_HasItsFiguresAndNoOthers()
    {
        var model = ChargeSpec.ModelOf(RunSpecReader.Read(Given).Value!.Simulation!.Charges);
        // 2 KB lie 0.04 of 0.14 RU above 1 KB in the documented table, and here 0.04/0.14 of the way from 2 to 4.
        Assert.Equal((2, 2.57, 4), (model.Read(100), model.Read(2_048), model.Read(4_096)));
        // The next step keeps its documented ratio to the largest that is given: 1.33 of 1.14.
        Assert.Equal(4.67, model.Read(8_192));
        Assert.Equal((11, 22, 23), (model.Create(1_024, 2), model.Replace(1_024, 1_024, 4, true), model.Patch(22, 1)));
        Assert.Equal((3.5, 0.2, 1.8), (model.QueryPage(2), model.QueryLoaded(1_024), model.QueryReturned(1_024)));
    }

    /// <summary>A measured size has the charge of its whole step, also of documents that are a little larger.</summary>
    [Fact]
    public void Model_PointsInsideSteps_ChargeTheWholeStep()
    {
        SizeCharge[] points = [new(155, 5.2), new(900, 5.4), new(61_440, 25)];
        var model = ChargeSpec.ModelOf(new ChargeSpec { WritePoints = points });
        Assert.Equal((5.4, 5.4, 25, 25), (model.Create(155, 0), model.Create(1_024, 0), model.Create(40_000, 0), model.Create(65_536, 0)));
        Assert.InRange(model.Create(2_000, 0), 6.29, 7);
        var steps = Enumerable.Range(0, 12).Select(i => model.Create(1_024L << i, 0)).ToList();
        Assert.Equal(steps.Order(), steps);
    }

    [Fact]
    public void Model_OfPartOfASpec_IsOtherwiseAsDocumented()
    {
        var model = ChargeSpec.ModelOf(
            RunSpecReader.Read("""{"simulation":{"charges":{"perIndexedTerm":0}}}""").Value!.Simulation!.Charges);

        Assert.Equal(new IndexCharges { Term = 0 }, model.Index);
        Assert.Equal(ChargeModel.Default.ReadPoints, model.ReadPoints);
        Assert.Equal(ChargeModel.Default.Query, model.Query);
        Assert.Same(ChargeModel.Default, ChargeSpec.ModelOf(null));
    }

    /// <summary>A charge of each entry is the whole charge unless the least ones are given, too.</summary>
    [Theory]
    [InlineData("", 0.265, 0.96, 0.41)]
    [InlineData("\"index\":\"Measured\"", 0.265, 0.96, 0.41)]
    [InlineData("\"index\":\"Documented\"", 0.2, 0, 0)]
    [InlineData("\"perIndexedTerm\":0.3", 0.3, 0, 0)]
    [InlineData("\"perIndexedTerm\":0.3,\"minIndexedWrite\":1.5,\"minIndexedReplace\":0.5", 0.3, 1.5, 0.5)]
    [InlineData("\"minIndexedWrite\":1.5", 0.265, 1.5, 0.41)]
    public void Model_IndexEntries_CostWhatIsNamedOrGiven(string charges, double term, double write, double replace)
    {
        var reading = RunSpecReader.Read("{\"simulation\":{\"charges\":{" + charges + "}}}");
        Assert.Empty(reading.Errors);
        Assert.Equal(
            new IndexCharges { Term = term, LeastOfWrite = write, LeastOfReplace = replace },
            ChargeSpec.ModelOf(reading.Value!.Simulation!.Charges).Index);
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
        "writePoints[0].requestUnits: 0 is out of range: above 0, at most 100000")]
    [InlineData("""{"readPoints":[{"bytes":1024,"requestUnits":1},{"bytes":1024,"requestUnits":2}]}""",
        "readPoints[1].bytes: 1024 is not more than the 1024 of the point before it: list the points by ascending size")]
    [InlineData("""{"readPoints":[{"bytes":1024,"requestUnits":2.5},{"bytes":2048,"requestUnits":2}]}""",
        "readPoints[1].requestUnits: 2 is less than the 2.5 of the smaller point before it")]
    [InlineData("""{"perIndexedTerm":-1}""", "perIndexedTerm: -1 is out of range 0..100000")]
    [InlineData("""{"loadedShare":101}""", "loadedShare: 101 is out of range 0..100")]
    [InlineData("""{"perIndexedTerms":1}""", "perIndexedTerms: unknown field; did you mean 'perIndexedTerm'?")]
    public void Read_BadCharges_SaysWhere(string charges, string error) => Assert.Equal(
        $"simulation.charges.{error}",
        Assert.Single(RunSpecReader.Read($$$"""{"simulation":{"charges":{{{charges}}}}}""").Errors).ToString());

    [Fact]
    public void Estimate_WithOtherCharges_FollowsThem()
    {
        // 4 indexed terms of 0.5 RU beside 10 RU for a document in the first step.
        var spec = RunSpecReader.Read(Given).Value!;
        Assert.Equal(12.0 * spec.Documents, RunEstimate.From(spec).RequestUnits);
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
}
