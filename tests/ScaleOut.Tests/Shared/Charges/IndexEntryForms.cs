namespace ScaleOut.Tests.Shared.Charges;

/// <summary>
/// Forms that the charge of index entries could have: RU by the number of entries of a create. All are fitted to the same half of the
/// measured points, which has creates of one entry and of many.
/// </summary>
internal static class IndexEntryForms
{
    private static IndexCharges Fitted => ChargeModel.Default.Index;

    public static IReadOnlyList<(string Name, Func<int, double> ChargeOf)> All { get; } =
    [
        ("0.2 RU each, as documented", IndexCharges.Documented.Write),
        (Text($"{Fitted.Term} RU each, nothing fixed"), terms => Fitted.Term * terms),
        ("a fixed part and one for each, added", Added),
        (Text($"{Fitted.Term} RU each, at least {Fitted.LeastOfWrite} RU: **the model**"), Fitted.Write),
    ];

    /// <summary>Errors of the creates and deletes that have index entries, or for which the source says that they have none.</summary>
    public static (double RootMeanSquare, double Worst, int WithinRounding, int Rounded) ErrorsOf(Func<int, double> chargeOf, ChargeUse use)
    {
        List<(double Error, bool? Within)> errors = [];
        foreach (var point in MeasuredCharges.Points.Concat(HeldOutCharges.Points).Where(point => point.Use == use))
        {
            if (point.Operation is not (ChargedCreate or ChargedDelete))
                continue;
            var (bytes, terms) = point.Operation is ChargedCreate create ? (create.Bytes, create.Terms)
                : (((ChargedDelete)point.Operation).Bytes, ((ChargedDelete)point.Operation).Terms);
            if (terms == 0)
                continue;
            var charge = ChargeModel.Default.Create(bytes, 0) + chargeOf(terms);
            errors.Add((
                (charge / point.RequestUnits) - 1,
                point.RoundedTo >= 1 ? Math.Abs(charge - point.RequestUnits) <= point.RoundedTo / 2 : null));
        }

        return (
            Math.Sqrt(errors.Average(one => one.Error * one.Error)), errors.MaxBy(one => Math.Abs(one.Error)).Error,
            errors.Count(one => one.Within == true), errors.Count(one => one.Within is not null));
    }

    /// <summary>The line through the charge of one entry and that of 156.</summary>
    private static double Added(int terms)
    {
        const int many = 156;
        var each = (Fitted.Write(many) - Fitted.Write(1)) / (many - 1);
        return terms == 0 ? 0 : Fitted.Write(1) + (each * (terms - 1));
    }

    private static string Text(FormattableString text) => FormattableString.Invariant(text);
}
