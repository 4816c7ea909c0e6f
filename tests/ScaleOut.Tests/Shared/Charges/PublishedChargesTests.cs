namespace ScaleOut.Tests.Shared.Charges;

public sealed class PublishedChargesTests(ITestOutputHelper output)
{
    private static ChargeModel Model => ChargeModel.Documented;
    private static IEnumerable<ChargePoint> HeldOut => HeldOutCharges.Points.Where(point => point.Use == ChargeUse.HoldOut);

    [Fact]
    public void TablePoints_AreExact()
    {
        var points = DocumentedCharges.Points.Where(point => point.Operation is ChargedRead or ChargedCreate).ToList();
        Assert.Equal(24, points.Count);
        Assert.All(points, point => Assert.Equal(point.RequestUnits, point.Operation.ChargeBy(Model)));
    }

    /// <summary>The documentation's examples round 4.95 RU to 5.0 for each document that is written or removed: at most twice.</summary>
    [Fact]
    public void Examples_AreMetExceptForTheirRounding()
    {
        var examples = HeldOutCharges.Points.Where(point => point.Use == ChargeUse.Example).ToList();
        Assert.Equal(5, examples.Count);
        Assert.All(examples, point => Assert.InRange(point.RequestUnits - point.Operation.ChargeBy(Model), -0.0001, 0.1001));
    }

    [Fact]
    public void FittedQueries_AreMetWithinFivePercent() => Assert.All(
        DocumentedCharges.Points.Where(point => point is { Operation: ChargedQuery, Use: ChargeUse.Fit }),
        point => Assert.InRange(point.ErrorOf(Model), -0.05, 0.05));

    [Fact]
    public void HeldOutFigures_AreWithinTheToleranceOrSayWhyNot()
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
            Math.Abs(point.ErrorOf(Model)) <= ChargePoint.Tolerance == point.Reason is null,
            $"{point.Name} is off by {point.ErrorOf(Model):P1}, and its reason is '{point.Reason}'"));
    }

    [Theory]
    [InlineData(5.71, typeof(ChargedCreate))]
    [InlineData(10.67, typeof(ChargedReplace))]
    [InlineData(5.71, typeof(ChargedDelete))]
    public void TinyDocument_IsWithinTenPercent(double published, Type operation)
    {
        var point = Assert.Single(
            HeldOut, point => point.Operation.GetType() == operation && point.Name.Contains("tiny", StringComparison.Ordinal));
        Assert.Equal(published, point.RequestUnits);
        Assert.InRange(point.ErrorOf(Model), -0.1, 0.1);
    }

    /// <summary>The published replace does not say how many terms it modified, so the extremes are tried.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(4)]
    public void TinyReplace_WithAnyNumberOfModifiedTerms_IsWithinTenPercent(int modified) =>
        Assert.InRange(Model.Replace(155, 155, 2 * modified) / 10.67, 0.9, 1.1);

    [Fact]
    public void Points_HaveASourceAndAUseThatTheirListPermits()
    {
        Assert.All(DocumentedCharges.Points.Concat(HeldOutCharges.Points), point => Assert.NotEmpty(point.Source));
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
        var curve = new SizeCurve(Model.ReadPoints);
        var fitted = DocumentedCharges.Points.Where(one => one.Use == ChargeUse.Fit);
        Assert.Equal(Model.Query, QueryCharges.Fit(fitted, curve, Model.Query.Lookup));
        Assert.NotEqual(Model.Query, QueryCharges.Fit(DocumentedCharges.Points, curve, Model.Query.Lookup));
    }

    /// <summary>The page states this bias, which must not grow unnoticed.</summary>
    [Fact]
    public void HeldOutErrors_OfQueries_HaveABiasThatThePageStates()
    {
        var errors = HeldOutErrors.From(HeldOut.Where(point => point.Operation is ChargedQuery), Model);
        output.WriteLine(errors.ToString());
        Assert.Equal((8, 6), (errors.Count, errors.TooCheap));
        Assert.InRange(errors.Mean, -0.125, -0.11);
        Assert.InRange(errors.RootMeanSquare, 0.21, 0.23);
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
}
