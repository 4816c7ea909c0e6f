namespace ScaleOut.Tests.Shared.Charges;

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
