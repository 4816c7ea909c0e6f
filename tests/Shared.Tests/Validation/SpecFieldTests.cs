using ScaleOut.Costs;

namespace ScaleOut.Tests.Shared.Validation;

public sealed class SpecFieldTests
{
    public static TheoryData<Type> Documents =>
        [typeof(RunSpec), typeof(ExperimentSpec), typeof(PriceList)];

    /// <summary>A figure without bounds ends up in an estimate, a time or a report that cannot hold it.</summary>
    [Theory, MemberData(nameof(Documents))]
    public void From_AnyNumberOfADocument_HasASmallestAndALargestValueThatMakesSense(Type document)
    {
        var fields = FieldsOf(document, document.Name, []).ToList();
        Assert.NotEmpty(fields);
        Assert.All(fields, one =>
        {
            var (path, field) = one;
            var (least, most) = (field.About.Min, field.About.Max);
            if (field.Kind == SpecKind.Number)
                Assert.True(Math.Abs(least) is 0 or (>= 1e-6 and <= 1e15) && most is > 0 and <= 1e15, $"{path}: {least} to {most}");
            if (field.Kind == SpecKind.Duration)
                Assert.True(least >= 0 && most <= TimeSpan.FromDays(366).TotalSeconds, $"{path}: {least} to {most} s");
        });
    }

    private static IEnumerable<(string Path, SpecField Field)> FieldsOf(Type type, string path, HashSet<Type> seen)
    {
        if (!seen.Add(type))
            yield break;
        foreach (var field in SpecField.From(type))
        {
            var own = field.Item ?? field;
            yield return ($"{path}.{field.Name}", own);
            if (own.Kind is SpecKind.Object or SpecKind.NamedObject)
            {
                foreach (var inner in FieldsOf(own.Type, $"{path}.{field.Name}", seen))
                    yield return inner;
            }
        }
    }
}
