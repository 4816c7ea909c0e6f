using ScaleOut.Simulator.Engine.Queries.Expressions;
using ScaleOut.Simulator.Engine.Queries.Values;

namespace ScaleOut.Simulator.Engine.Queries.Functions;

/// <summary>Functions that say of what type a value is, and IIF.</summary>
internal static class TypeFunctions
{
    public static readonly Function[] All =
    [
        Is("IS_DEFINED", value => value.IsDefined),
        Is("IS_NULL", value => value.Type == DatumType.Null),
        Is("IS_BOOL", value => value.IsBoolean),
        // The SDK's filters for resuming ORDER BY use this name.
        Is("IS_BOOLEAN", value => value.IsBoolean),
        Is("IS_NUMBER", value => value.Type == DatumType.Number),
        Is("IS_STRING", value => value.Type == DatumType.Text),
        Is("IS_ARRAY", value => value.Type == DatumType.Array),
        Is("IS_OBJECT", value => value.Type == DatumType.Object),
        Is("IS_PRIMITIVE", value => value.IsPrimitive),
        Is("IS_FINITE_NUMBER", value => value.Type == DatumType.Number),
        Is("IS_INTEGER", value => value.Type == DatumType.Number
            && value.Number == Math.Floor(value.Number) && value.Number is >= long.MinValue and < 9223372036854775808.0),
        new("IIF", 3, 3, (_, arguments) => arguments[0].IsTrue ? arguments[1] : arguments[2]),
    ];

    private static Function Is(string name, Func<Datum, bool> condition) =>
        new(name, 1, 1, (_, arguments) => Datum.From(condition(arguments[0])));
}
