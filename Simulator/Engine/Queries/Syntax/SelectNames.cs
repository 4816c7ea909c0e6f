using ScaleOut.Simulator.Engine.Operations;
using ScaleOut.Simulator.Engine.Queries.Expressions;
using ScaleOut.Simulator.Engine.Queries.Values;

namespace ScaleOut.Simulator.Engine.Queries.Syntax;

/// <summary>The properties that the items of a SELECT list become.</summary>
internal static class SelectNames
{
    /// <summary>An item without AS has its last property's name, the document its alias, all else a number: $1, $2.</summary>
    public static IReadOnlyList<SelectItem> Give(IEnumerable<(SourceExpression Item, string? Alias)> items)
    {
        var named = new List<SelectItem>();
        var names = new HashSet<string>(StringComparer.Ordinal);
        int unnamed = 0;
        foreach ((SourceExpression item, string? alias) in items)
        {
            string name = alias ?? item.Value switch
            {
                Root root => root.Name,
                Member { Name: Constant { Value: { Type: DatumType.Text } last } } => last.Text,
                _ => $"${++unnamed}",
            };
            if (!names.Add(name))
                throw RequestException.Rejected(
                    ServiceStatus.BadRequest, $"Cannot create duplicate field '{name}': give one of the two another name with AS.");
            named.Add(new SelectItem(item, name));
        }

        return named;
    }
}
