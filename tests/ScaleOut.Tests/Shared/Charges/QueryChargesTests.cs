namespace ScaleOut.Tests.Shared.Charges;

public sealed class QueryChargesTests
{
    private const double Lookup = 0.2;

    /// <summary>Charges that a known model makes, of queries that differ in all that they are charged for.</summary>
    [Fact]
    public void Fit_ChargesOfAKnownModel_FindsItAgain()
    {
        var reads = ChargeModel.Default.ReadPoints;
        var truth = new QueryCharges { Page = 2.25, Lookup = Lookup, LoadedShare = 0.05, ReturnedShare = 0.25, SizeExponent = 0.8 };
        var model = new ChargeModel(reads, reads, IndexCharges.Documented, 0, truth);
        ChargedQuery[] queries =
        [
            new() { Pages = 9, Lookups = 3, Returned = 4_000, DocumentBytes = 600 },
            new() { Pages = 20, Lookups = 5 },
            new() { Lookups = 0, Returned = 7, Scanned = 60_000, DocumentBytes = 6_000 },
            new() { Pages = 2, Lookups = 2, Returned = 3_000, Scanned = 100, DocumentBytes = 90_000 },
        ];

        var fit = QueryCharges.Fit(
            queries.Select(query => ChargePoint.Create(ChargeUse.Fit, "query", query, query.ChargeBy(model), "", null)), reads, Lookup);

        Assert.Equal(
            (truth.Page, truth.LoadedShare, truth.ReturnedShare, truth.SizeExponent),
            (Math.Round(fit.Page, 2), Math.Round(fit.LoadedShare, 3), Math.Round(fit.ReturnedShare, 3), fit.SizeExponent));
    }
}
