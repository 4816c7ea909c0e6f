namespace ScaleOut.Tests.Shared.Charges;

public sealed class ChargeModelTests
{
    /// <summary>A query's charge may be this far from a measured one.</summary>
    private const double QueryTolerance = 0.15;

    private static readonly string[] Tested = ["test", "fit", "size", "patch", "nested", "special"];

    private static ChargeModel Default => ChargeModel.Default;

    public static TheoryData<string> OperationIds =>
        [.. MeasuredCharges.Operations.Where(point => Tested.Contains(point.Use)).Select(point => point.Id)];

    public static TheoryData<string> QueryIds =>
        [.. MeasuredCharges.Queries.Where(point => point.Use is not ("old" or "doc")).Select(point => point.Id)];

    /// <summary>The oracle is what accounts charged, in public measurements of 2018 to 2026.</summary>
    [Theory, MemberData(nameof(OperationIds))]
    public void Charge_OfAMeasuredOperation_IsWithinItsRounding(string id)
    {
        var point = MeasuredCharges.Operations.Single(one => one.Id == id);
        if (MeasuredCharges.Exceptions.ContainsKey(id))
            Assert.False(point.IsWithinRounding, $"{id} is met, so it is no exception.");
        else
            Assert.True(point.IsWithinRounding, $"{point.Counted} instead of {point.RequestUnits}");
    }

    /// <summary>
    /// Documents with a vector of 1,536 numbers. Their entries are counted, and all of them have a row of 12.6 RU, although the size of
    /// their text asks for 22.67.
    /// </summary>
    [Fact]
    public void Charge_OfDocumentsWithAVector_IsThatOfTheirEntriesAndOneRow()
    {
        var points = MeasuredCharges.Operations.Where(point => point.Use == "blind").ToList();
        var rows = points.Select(point => Math.Round(point.RequestUnits - (Default.Create(0, point.Entries!.Value).Value
            - Default.Create(0, 0).Value), 1)).ToList();

        Assert.Equal(50, points.Count);
        Assert.True(rows.Count(row => Math.Abs(row - 12.6) < 0.11) >= 49, string.Join(" ", rows));
        Assert.All(points, point => Assert.InRange(point.Error, 0, 0.04));
    }

    [Theory, MemberData(nameof(QueryIds))]
    public void Charge_OfAMeasuredQuery_IsWithin15Percent(string id)
    {
        var point = MeasuredCharges.Queries.Single(one => one.Id == id);
        Assert.InRange(point.Error, -QueryTolerance, QueryTolerance);
    }

    /// <summary>The figures of the public recording, to the last digit of the double that it has.</summary>
    [Fact]
    public void Charge_BeforeItIsRounded_IsAWholeNumberOf21sts()
    {
        Assert.Equal(6.2857142857142856, Default.Create(27, 7).Value);
        Assert.Equal(5.9047619047619051, Default.Create(20, 5).Value);
        Assert.Equal(10.666666666666666, Default.Replace(27, 27, 4).Value);
        Assert.Equal(1.5714285714285714, Default.Conflict(7).Value);
        Assert.Equal(1.4761904761904763, Default.Conflict(5).Value);
    }

    /// <summary>205 bytes of system properties: 819 bytes of JSON are the last of the row of 1 KB.</summary>
    [Theory]
    [InlineData(0, 1, 4.95)]
    [InlineData(819, 1, 4.95)]
    [InlineData(820, 1.05, 6.29)]
    [InlineData(1_843, 1.05, 6.29)]
    [InlineData(1_844, 1.14, 6.67)]
    [InlineData(102_400, 9.95, 48.19)]
    // Beyond the table the charge grows in proportion to the stored size.
    [InlineData((4_096 * 1_024) - 205, 583.60, 2_500)]
    public void ReadAndCreate_AnySize_CostTheRowOfTheStoredSize(long bytes, double read, double create) =>
        Assert.Equal((read, create), (Default.Read(bytes).Rounded().Value, Default.Create(bytes, 0).Rounded().Value));

    [Fact]
    public void Charge_LargerDocumentOrMoreEntries_NeverCostsLess()
    {
        for (var bytes = 0L; bytes < 3_000_000; bytes += 97 + (bytes / 100))
        {
            Assert.True(Default.Create(bytes + 97, 3).Parts >= Default.Create(bytes, 3).Parts);
            Assert.True(Default.Create(bytes, 4).Parts > Default.Create(bytes, 3).Parts);
            Assert.True(Default.Read(bytes + 97).Parts >= Default.Read(bytes).Parts);
        }
    }

    [Fact]
    public void Charges_OnAHotPath_AllocateNothing()
    {
        var sum = Default.Create(70_000, 5) + Default.Read(70_000) + Default.Replace(100, 70_000, 4);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var bytes = 0; bytes < 100_000; bytes += 37)
            sum += Default.Create(bytes, 5) + Default.Read(bytes) + Default.Replace(100, bytes, 4);

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.True(sum.Parts > 0);
    }

    [Fact]
    public void Charge_NegativeSizeOrCount_Throws()
    {
        Func<RequestUnits>[] negative =
        [
            () => Default.Read(-1), () => Default.Create(-1, 0), () => Default.Create(0, -1),
            () => Default.Replace(-1, 0, 0), () => Default.Replace(0, -1, 0), () => Default.Replace(0, 0, -1),
            () => new ChargeModel(Default.ReadRows, Default.WriteRows, -0.1, 0, 0, Default.Query).Rejected,
        ];

        Assert.All(negative, charge => Assert.Throws<ArgumentOutOfRangeException>(() => charge()));
    }

    [Fact]
    public void Model_RowsThatDoNotAscend_Throws()
    {
        Assert.Throws<ArgumentException>(() => WithReads([new(2_048, 1), new(1_024, 2)]));
        Assert.Throws<ArgumentException>(() => WithReads([new(1_024, 1)]));
        Assert.Throws<ArgumentException>(() => WithReads([new(0, 1), new(1_024, 2)]));
        Assert.Throws<ArgumentException>(() => WithReads([new(1_024, 1), new(1_024, 2)]));

        static ChargeModel WithReads(SizeCharge[] reads) => new(reads, Default.WriteRows, 0.2, 0.4, 205, Default.Query);
    }
}
