using ScaleOut.Tests.Shared.Charges;

namespace ScaleOut.Tests.EndToEnd.Documented;

/// <summary>The tables of docs/charges.md are generated from the code.</summary>
public sealed class ChargesPageTests
{
    [Theory]
    [InlineData("parameters")]
    [InlineData("fitted")]
    [InlineData("examples")]
    [InlineData("held out")]
    [InlineData("bias")]
    [InlineData("index")]
    public void Page_Table_IsWhatTheCodeComputes(string table)
    {
        var computed = table switch
        {
            "parameters" => Parameters(),
            "index" => IndexForms(),
            "fitted" => Points(ChargeUse.Fit),
            "bias" => Bias(),
            "examples" => Points(ChargeUse.Example),
            _ => Points(ChargeUse.HoldOut),
        };
        GeneratedText.AssertIs(
            "docs/charges.md", computed, "SCALEOUT_REWRITE_CHARGES", nameof(ChargesPageTests), $"<!-- begin: {table} -->\n",
            $"<!-- end: {table} -->");
    }

    private static ChargeModel WithDocumentedIndex => ChargeSpec.ModelOf(new ChargeSpec { Index = IndexCharging.Documented });

    private static IEnumerable<ChargePoint> PublishedCharges =>
        [.. DocumentedCharges.Points, .. HeldOutCharges.Points, .. MeasuredCharges.Points];

    private static string Points(ChargeUse use)
    {
        var text = new StringBuilder();
        text.Append(use != ChargeUse.HoldOut
            ? $"| {(use == ChargeUse.Fit ? "fitted" : "example")} | published | model | error | source |\n|---|--:|--:|--:|---|\n"
            : "| held out | published | model | error | source | why more than 30% |\n|---|--:|--:|--:|---|---|\n");
        // The documentation's examples are compared with its own charge of index entries.
        var model = use == ChargeUse.Example ? WithDocumentedIndex : ChargeModel.Default;
        foreach (var point in PublishedCharges.Where(point => point.Use == use || (use == ChargeUse.Fit && point.Use == ChargeUse.Form)))
        {
            var assumes = point.Assumes is null ? "" : $" ({point.Assumes})";
            text.Append(CultureInfo.InvariantCulture,
                $"| {point.Name}{assumes} | {point.RequestUnits:N2} | {point.Operation.ChargeBy(model):N2} | ");
            text.Append(CultureInfo.InvariantCulture, $"{point.ErrorOf(model):+0.0%;-0.0%;0} | {point.Source} |");
            text.Append(use != ChargeUse.HoldOut ? "\n" : $" {point.Reason} |\n");
        }

        return text.ToString();
    }

    private static string Bias()
    {
        var held = PublishedCharges.Where(point => point.Use == ChargeUse.HoldOut).ToList();
        var text = new StringBuilder("| held out | points | too cheap | mean error | root mean square |\n|---|--:|--:|--:|--:|\n");
        foreach (var (name, points) in (ReadOnlySpan<(string, List<ChargePoint>)>)[
            ("point operations of 5 RU and more",
                held.FindAll(point => point is { Operation: not ChargedQuery, RequestUnits: >= 5 })),
            ("point operations below 5 RU, most rounded to 1 RU",
                held.FindAll(point => point is { Operation: not ChargedQuery, RequestUnits: < 5 })),
            ("queries of one document by its key, 5 to 200 KB",
                held.FindAll(point => point is { Operation: ChargedQuery, Source: ChargeSources.Payloads })),
            ("other queries", held.FindAll(point => point is { Operation: ChargedQuery, Source: not ChargeSources.Payloads }))])
        {
            var errors = HeldOutErrors.From(points, ChargeModel.Default);
            text.Append(CultureInfo.InvariantCulture, $"| {name} | {errors.Count} | {errors.TooCheap} | ");
            text.Append(CultureInfo.InvariantCulture, $"{errors.Mean:+0.0%;-0.0%} | {errors.RootMeanSquare:0.0%} |\n");
        }

        return text.ToString();
    }

    /// <summary>Errors of four forms of the charge of index entries, each fitted to the same half of the index points.</summary>
    private static string IndexForms()
    {
        var text = new StringBuilder(
            "| charge of index entries | fitted half: root mean square | held-out half: root mean square | worst | within rounding |\n"
            + "|---|--:|--:|--:|--:|\n");
        foreach (var (name, chargeOf) in IndexEntryForms.All)
        {
            var (fit, held) = (IndexEntryForms.ErrorsOf(chargeOf, ChargeUse.Fit), IndexEntryForms.ErrorsOf(chargeOf, ChargeUse.HoldOut));
            text.Append(CultureInfo.InvariantCulture, $"| {name} | {fit.RootMeanSquare:0.0%} | {held.RootMeanSquare:0.0%} | ");
            text.Append(CultureInfo.InvariantCulture, $"{held.Worst:+0.0%;-0.0%} | {held.WithinRounding} of {held.Rounded} |\n");
        }

        return text.ToString();
    }

    private static string Parameters()
    {
        var model = ChargeModel.Default;
        (string Field, double Value, string What)[] rows =
        [
            ("perIndexedTerm", model.Index.Term, "RU of each index entry that a write adds or removes: fitted; documented is 0.2"),
            ("minIndexedWrite", model.Index.LeastOfWrite, "least RU of the index entries of a create or delete that has any: fitted"),
            ("minIndexedReplace", model.Index.LeastOfReplace, "least RU of the index entries of a replace: fitted"),
            ("perPatchedProperty", model.PatchedProperty, "RU of each operation of a patch: stated by the documentation"),
            ("perQueryPage", model.Query.Page, "RU of each page of a query from each physical partition: fitted"),
            ("perIndexLookup", model.Query.Lookup,
                "RU of each condition or ORDER BY that the index serves: assumed, as an index entry of a write"),
            ("loadedShare", model.Query.LoadedShare, "part of its charge by size that each loaded document costs: fitted"),
            ("returnedShare", model.Query.ReturnedShare, "part of its charge by size that each returned document costs besides: fitted"),
            ("querySizeExponent", model.Query.SizeExponent,
                "exponent of a read's growth with the size that a query's documents have: fitted"),
        ];
        var text = new StringBuilder("| field of `simulation.charges` | default | what it is |\n|---|--:|---|\n");
        foreach (var (field, value, what) in rows)
            text.Append(CultureInfo.InvariantCulture, $"| `{field}` | {value:0.####} | {what} |\n");
        return text.ToString();
    }
}
