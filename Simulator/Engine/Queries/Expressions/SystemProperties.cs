using ScaleOut.Simulator.Engine.Queries.Values;

namespace ScaleOut.Simulator.Engine.Queries.Expressions;

/// <summary>Properties that are made from a document's record and are not in its body.</summary>
internal static class SystemProperties
{
    private static readonly string[] Names = ["_rid", "_self", "_etag", "_ts", "_attachments"];

    public static bool Contains(string name) => Names.Contains(name);

    /// <summary>Whether an expression sees them: by name, or because it takes the document as a whole.</summary>
    public static bool AreUsedBy(Expression expression)
    {
        if (expression is Root)
            return true;
        if (expression is Member { Owner: Root } member)
        {
            return member.Name is Constant { Value: { Type: DatumType.Text } name }
                ? Contains(name.Text)
                : member.Name is not Constant || AreUsedBy(member.Name);
        }

        return expression.Parts.Any(AreUsedBy);
    }
}
