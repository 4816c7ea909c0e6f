namespace ScaleOut.Tests.Shared.Charges;

public sealed class DocumentedChargesTests(ITestOutputHelper output)
{
    private static ChargeModel Model => ChargeModel.Default;

    private static IEnumerable<ChargePoint> HeldOut =>
        HeldOutCharges.Points.Concat(MeasuredCharges.Points).Where(point => point.Use == ChargeUse.HoldOut);

    [Fact]
    public void Charge_TablePoints_AreExact()
    {
        var points = DocumentedCharges.Points.Where(point => point.Operation is ChargedRead or ChargedCreate).ToList();
        Assert.Equal(24, points.Count);
        Assert.All(points, point => Assert.Equal(point.RequestUnits, point.Operation.ChargeBy(Model)));
    }

    /// <summary>The documentation's examples round 4.95 RU to 5.0 for each document that is written or removed: at most twice.</summary>
    [Fact]
    public void Charge_Examples_AreMetExceptForTheirRounding()
    {
        var examples = HeldOutCharges.Points.Where(point => point.Use == ChargeUse.Example).ToList();
        Assert.Equal(5, examples.Count);
        var documented = ChargeSpec.ModelOf(new ChargeSpec { Index = IndexCharging.Documented });
        Assert.All(examples, point => Assert.InRange(point.RequestUnits - point.Operation.ChargeBy(documented), -0.0001, 0.1001));
    }

    [Fact]
    public void Charge_DocumentedQueries_AreMetWithinFivePercent() => Assert.All(
        DocumentedCharges.Points.Where(point => point is { Operation: ChargedQuery, Use: ChargeUse.Fit }),
        point => Assert.InRange(point.ErrorOf(Model), -0.05, 0.05));

    [Fact]
    public void Charge_HeldOutFigures_AreWithinTheToleranceOrSayWhyNot()
    {
        foreach (var point in HeldOut)
        {
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{point.Name,-58} {point.RequestUnits,8:0.00} {point.Operation.ChargeBy(Model),8:0.00}")
                + string.Create(CultureInfo.InvariantCulture, $" {point.ErrorOf(Model),7:+0.0%;-0.0%} {point.Reason}"));
        }

        Assert.NotEmpty(HeldOut);
        Assert.All(HeldOut, point => Assert.True(
            (Math.Abs(point.ErrorOf(Model)) <= ChargePoint.Tolerance || point.IsWithinRounding(Model)) == point.Reason is null,
            $"{point.Name} is off by {point.ErrorOf(Model):P1}, and its reason is '{point.Reason}'"));
    }

    [Theory]
    [InlineData(5.71, typeof(ChargedCreate))]
    [InlineData(10.67, typeof(ChargedReplace))]
    [InlineData(5.71, typeof(ChargedDelete))]
    public void Charge_TinyDocument_IsWithinTenPercent(double published, Type operation)
    {
        var point = Assert.Single(
            HeldOut, point => point.Operation.GetType() == operation && point.Name.Contains("tiny", StringComparison.Ordinal));
        Assert.Equal(published, point.RequestUnits);
        Assert.InRange(point.ErrorOf(Model), -0.1, 0.1);
    }

    /// <summary>
    /// The published replace does not say how many terms it modified, so the extremes are tried; one of the four is the partition key.
    /// </summary>
    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    public void TinyReplace_WithAnyNumberOfModifiedTerms_IsWithinTenPercent(int modified) =>
        Assert.InRange(Model.Replace(155, 155, 2 * modified, true) / 10.67, 0.9, 1.1);

    [Fact]
    public void Points_AnyList_HaveASourceAndAUseThatItPermits()
    {
        Assert.All(
            DocumentedCharges.Points.Concat(HeldOutCharges.Points).Concat(MeasuredCharges.Points), point => Assert.NotEmpty(point.Source));
        Assert.All(MeasuredCharges.Points, point => Assert.True(point.Use is ChargeUse.Fit or ChargeUse.HoldOut && point.RoundedTo > 0));
        Assert.All(DocumentedCharges.Points, point => Assert.True(point.Use is ChargeUse.Fit or ChargeUse.Form));
        Assert.All(HeldOutCharges.Points, point => Assert.True(point.Use is ChargeUse.Example or ChargeUse.HoldOut));
    }

    /// <summary>A figure that decided between two models cannot confirm the chosen one, and sets no parameter of it.</summary>
    [Fact]
    public void Figure_ThatDecidedTheForm_IsNeitherHeldOutNorFitted()
    {
        var point = Assert.Single(DocumentedCharges.Points, point => point.Use == ChargeUse.Form);

        Assert.Equal(70, point.RequestUnits);
        Assert.DoesNotContain(HeldOut, held => held.Operation == point.Operation);
        List<ChargePoint> fitted =
            [.. DocumentedCharges.Points.Concat(MeasuredCharges.Points).Where(one => one.Use == ChargeUse.Fit)];
        Assert.Equal(Model.Query, QueryCharges.Fit(fitted, Model.ReadPoints, Model.Query.Lookup));
        Assert.NotEqual(Model.Query, QueryCharges.Fit([.. fitted, point], Model.ReadPoints, Model.Query.Lookup));
    }

    /// <summary>The page states this bias, which must not grow unnoticed.</summary>
    [Fact]
    public void HeldOutErrors_OfQueries_HaveABiasThatThePageStates()
    {
        var errors = HeldOutErrors.From(HeldOut.Where(point => point.Operation is ChargedQuery && point.RoundedTo == 0), Model);
        output.WriteLine(errors.ToString());
        Assert.Equal((8, 6), (errors.Count, errors.TooCheap));
        Assert.InRange(errors.Mean, -0.125, -0.11);
        // Interpolated read charges without an exponent left 22.3%.
        Assert.InRange(errors.RootMeanSquare, 0.21, 0.2226);
    }

    /// <summary>The same read charges without an exponent left 38% of the measured queries, of both halves.</summary>
    [Theory]
    [InlineData(true, 4, 8)]
    [InlineData(false, 3, 6)]
    public void MeasuredQueries_OfBothHalves_HaveLessThanHalfTheErrorOfReads(bool isFitted, int sizes, int count)
    {
        List<ChargePoint> queries =
            [.. MeasuredCharges.Points.Where(point => point.Operation is ChargedQuery && point.Use == UseOf(isFitted))];
        var errors = HeldOutErrors.From(queries, Model);
        var reads = HeldOutErrors.From(queries, ChargeSpec.ModelOf(new ChargeSpec { QuerySizeExponent = 1 }));
        output.WriteLine($"{errors}, as reads {reads}");
        Assert.Equal(count, queries.Count);
        Assert.Equal(sizes, queries.Select(point => ((ChargedQuery)point.Operation).DocumentBytes).Distinct().Count());
        Assert.True(errors.RootMeanSquare < 0.17 && errors.RootMeanSquare < reads.RootMeanSquare / 2, $"{errors} {reads}");
    }

    [Fact]
    public void PointOperations_OfFiveUnitsAndMore_AreMetWithinFivePercentOnTheHeldOutHalf()
    {
        var errors = HeldOutErrors.From(
            HeldOut.Where(point => point is { Operation: not ChargedQuery, RequestUnits: >= 5 }), Model);
        output.WriteLine(errors.ToString());
        Assert.True(errors.Count >= 25, $"{errors}");
        Assert.InRange(errors.RootMeanSquare, 0, 0.05);
        Assert.InRange(errors.Mean, -0.02, 0.02);
    }

    /// <summary>Writes and reads of one text of 1 to 400 KB, each rounded to 1 RU.</summary>
    [Theory]
    [InlineData(false, 27)]
    [InlineData(true, 8)]
    public void MeasuredPointOperations_AllSizes_AreWithinRounding(bool isFitted, int count)
    {
        List<ChargePoint> points =
        [
            .. MeasuredCharges.Points.Where(
                point => point is { Operation: not ChargedQuery, Source: ChargeSources.Payloads } && point.Use == UseOf(isFitted)),
        ];
        Assert.Equal(count, points.Count);
        Assert.All(points, point => Assert.True(
            point.IsWithinRounding(Model), $"{point.Name}: {point.Operation.ChargeBy(Model)} for {point.RequestUnits}"));
    }

    /// <summary>The size is that of the JSON that a client sends: 200 bytes of system properties meet nothing better.</summary>
    [Fact]
    public void Size_WithSystemProperties_MeetsTheMeasurementsAsWellAndTheDocumentedKilobyteWorse()
    {
        const int systemProperties = 200;
        foreach (var point in MeasuredCharges.Points.Where(point => point.Source == ChargeSources.Payloads))
        {
            if (point.Operation is ChargedCreate { Bytes: var bytes, Terms: var terms })
                Assert.Equal(Model.Create(bytes, terms), Model.Create(bytes + systemProperties, terms));
        }

        var kilobyte = Assert.Single(MeasuredCharges.Points, point => point.Operation is ChargedCreate { Bytes: 1_024 });
        Assert.True(kilobyte.IsWithinRounding(Model));
        Assert.NotInRange(Model.Create(1_024 + systemProperties, 0), kilobyte.RequestUnits - 0.5, kilobyte.RequestUnits + 0.5);
    }

    [Fact]
    public void IndexEntries_FormOfTheModel_IsTheBestOnTheHeldOutHalf()
    {
        foreach (var (name, chargeOf) in IndexEntryForms.All)
        {
            output.WriteLine($"{name}: fit {IndexEntryForms.ErrorsOf(chargeOf, ChargeUse.Fit)}, "
                + $"held out {IndexEntryForms.ErrorsOf(chargeOf, ChargeUse.HoldOut)}");
        }

        var held = IndexEntryForms.All.Select(form => IndexEntryForms.ErrorsOf(form.ChargeOf, ChargeUse.HoldOut)).ToList();
        Assert.Equal(held[^1].RootMeanSquare, held.Min(errors => errors.RootMeanSquare));
        Assert.Equal(held[^1].Rounded, held[^1].WithinRounding);
    }

    /// <summary>The published figures that the model must not be made from.</summary>
    [Theory]
    [InlineData(29)]
    [InlineData(3.4)]
    [InlineData(2.35)]
    [InlineData(2.9)]
    [InlineData(5.71)]
    [InlineData(10.67)]
    public void Figure_ThatIsHeldOut_IsFittedNowhere(double requestUnits)
    {
        Assert.Contains(HeldOut, point => point.RequestUnits == requestUnits);
        Assert.DoesNotContain(DocumentedCharges.Points, point => point.RequestUnits == requestUnits);
    }

    private static ChargeUse UseOf(bool isFitted) => isFitted ? ChargeUse.Fit : ChargeUse.HoldOut;
}
