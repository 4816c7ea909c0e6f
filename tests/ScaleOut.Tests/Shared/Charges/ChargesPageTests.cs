namespace ScaleOut.Tests.Shared.Charges;

/// <summary>The tables of docs/charges.md are generated from the code.</summary>
public sealed class ChargesPageTests
{
    [Theory]
    [InlineData("parameters")]
    [InlineData("fitted")]
    [InlineData("examples")]
    [InlineData("held out")]
    [InlineData("bias")]
    public void Page_Table_IsWhatTheCodeComputes(string table)
    {
        var computed = table switch
        {
            "parameters" => Parameters(),
            "fitted" => Points(ChargeUse.Fit),
            "bias" => Bias(),
            "examples" => Points(ChargeUse.Example),
            _ => Points(ChargeUse.HoldOut),
        };
        GeneratedText.AssertIs(
            "docs/charges.md", computed, "SCALEOUT_REWRITE_CHARGES", nameof(ChargesPageTests), $"<!-- begin: {table} -->\n",
            $"<!-- end: {table} -->");
    }

    private static string Points(ChargeUse use)
    {
        var text = new StringBuilder();
        text.Append(use != ChargeUse.HoldOut
            ? $"| {(use == ChargeUse.Fit ? "fitted" : "example")} | published | model | error | source |\n|---|--:|--:|--:|---|\n"
            : "| held out | published | model | error | source | why more than 30% |\n|---|--:|--:|--:|---|---|\n");
        foreach (var point in DocumentedCharges.Points.Concat(HeldOutCharges.Points)
            .Where(point => point.Use == use || (use == ChargeUse.Fit && point.Use == ChargeUse.Form)))
        {
            var assumes = point.Assumes is null ? "" : $" ({point.Assumes})";
            text.Append(CultureInfo.InvariantCulture,
                $"| {point.Name}{assumes} | {point.RequestUnits:N2} | {point.Operation.ChargeBy(ChargeModel.Documented):N2} | ");
            text.Append(CultureInfo.InvariantCulture, $"{point.ErrorOf(ChargeModel.Documented):+0.0%;-0.0%;0} | {point.Source} |");
            text.Append(use != ChargeUse.HoldOut ? "\n" : $" {point.Reason} |\n");
        }

        return text.ToString();
    }

    private static string Bias()
    {
        var held = HeldOutCharges.Points.Where(point => point.Use == ChargeUse.HoldOut).ToList();
        var text = new StringBuilder("| held out | points | too cheap | mean error | root mean square |\n|---|--:|--:|--:|--:|\n");
        foreach (var (name, points) in (ReadOnlySpan<(string, List<ChargePoint>)>)[
            ("queries", held.FindAll(point => point.Operation is ChargedQuery)),
            ("point operations", held.FindAll(point => point.Operation is not ChargedQuery)), ("all", held)])
        {
            var errors = HeldOutErrors.From(points, ChargeModel.Documented);
            text.Append(CultureInfo.InvariantCulture, $"| {name} | {errors.Count} | {errors.TooCheap} | ");
            text.Append(CultureInfo.InvariantCulture, $"{errors.Mean:+0.0%;-0.0%} | {errors.RootMeanSquare:0.0%} |\n");
        }

        return text.ToString();
    }

    private static string Parameters()
    {
        var model = ChargeModel.Documented;
        (string Field, double Value, string What)[] rows =
        [
            ("perIndexedTerm", model.IndexedTerm, "RU of each index entry that a write adds or removes: stated by the documentation"),
            ("perPatchedProperty", model.PatchedProperty, "RU of each operation of a patch: stated by the documentation"),
            ("perQueryPage", model.Query.Page, "RU of each page of a query from each physical partition: fitted"),
            ("perIndexLookup", model.Query.Lookup,
                "RU of each condition or ORDER BY that the index serves: assumed, as an index entry of a write"),
            ("loadedShare", model.Query.LoadedShare, "part of its read charge that each loaded document costs: fitted"),
            ("returnedShare", model.Query.ReturnedShare, "part of its read charge that each returned document costs besides: fitted"),
        ];
        var text = new StringBuilder("| field of `simulation.charges` | documented | what it is |\n|---|--:|---|\n");
        foreach (var (field, value, what) in rows)
            text.Append(CultureInfo.InvariantCulture, $"| `{field}` | {value:0.####} | {what} |\n");
        return text.ToString();
    }
}

/// <summary>How far a model is off at points that it never saw; below 0 it is too cheap.</summary>
internal sealed record HeldOutErrors(int Count, int TooCheap, double Mean, double RootMeanSquare)
{
    public static HeldOutErrors From(IEnumerable<ChargePoint> points, ChargeModel model)
    {
        var errors = points.Select(point => point.ErrorOf(model)).ToList();
        return new HeldOutErrors(
            errors.Count, errors.Count(error => error < 0), errors.Average(), Math.Sqrt(errors.Average(error => error * error)));
    }
}
