using Microsoft.AspNetCore.Mvc;
using Mono.Cecil;
using ScaleOut.Api.Responses;
using ScaleOut.Tests.Structure;

namespace ScaleOut.Tests.Contracts;

/// <summary>Which responses the compiled code of a handler can return.</summary>
internal sealed class HandlerStatuses : IDisposable
{
    private const string Success = "200";
    private const string AcceptedJob = "202";

    private readonly Dictionary<string, ModuleDefinition> _modules = [];

    /// <summary>Statuses of a handler, with the last part of the problem's type: <c>409 id-in-use</c>.</summary>
    public IReadOnlyList<string> Of(MethodInfo handler)
    {
        var path = handler.Module.FullyQualifiedName;
        if (!_modules.TryGetValue(path, out var module))
            _modules[path] = module = AssemblyGraph.Read(path);
        var reached = new HashSet<string>();
        Follow((MethodDefinition)module.LookupToken(handler.MetadataToken), [], reached);
        return [.. reached.Order(StringComparer.Ordinal)];
    }

    /// <summary>What all methods of <see cref="Problems"/> respond.</summary>
    public static IEnumerable<string> All() => Methods().Select(TextOf).Distinct().Order(StringComparer.Ordinal);

    public void Dispose()
    {
        foreach (var module in _modules.Values)
            module.Dispose();
    }

    private static void Follow(MethodDefinition method, HashSet<string> seen, HashSet<string> reached)
    {
        if (!seen.Add(method.FullName))
            return;
        var machine = method.CustomAttributes
            .Where(attribute => attribute.AttributeType.Name == nameof(System.Runtime.CompilerServices.AsyncStateMachineAttribute))
            .Select(attribute => ((TypeReference)attribute.ConstructorArguments[0].Value).Resolve())
            .SelectMany(type => type.Methods.Where(step => step.Name == "MoveNext"));
        foreach (var step in machine)
            Follow(step, seen, reached);
        foreach (var called in method.HasBody ? method.Body.Instructions.Select(step => step.Operand).OfType<MethodReference>() : [])
        {
            switch (called.DeclaringType.Name)
            {
                case nameof(Problems):
                    reached.Add(TextOf(Methods().First(problem => problem.Name == called.Name)));
                    break;
                case nameof(Accepted):
                    reached.Add(called.Name == nameof(Accepted.Create) ? AcceptedJob : Success);
                    break;
                case nameof(TypedResults):
                    reached.Add(Success);
                    break;
                case var _ when IsOurs(called) && called.Resolve() is { } ours:
                    Follow(ours, seen, reached);
                    break;
            }
        }
    }

    private static bool IsOurs(MethodReference method) =>
        method.DeclaringType.GetElementType().FullName.StartsWith("ScaleOut.", StringComparison.Ordinal);

    /// <summary>The methods that make a problem of their own, and none that others call with their status.</summary>
    private static IEnumerable<MethodInfo> Methods() =>
        typeof(Problems).GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic)
            .Where(method => typeof(IResult).IsAssignableFrom(method.ReturnType) && !method.IsGenericMethod
                && !method.GetParameters().Any(parameter => parameter.Name == "kind"));

    private static string TextOf(MethodInfo method)
    {
        var arguments = method.GetParameters().Select(parameter =>
            parameter.ParameterType == typeof(HttpContext) ? new DefaultHttpContext()
            : parameter.ParameterType == typeof(string) ? "<service>"
            : parameter.ParameterType == typeof(int) ? (object)StatusCodes.Status400BadRequest
            : parameter.ParameterType.IsAssignableFrom(typeof(EvidenceException)) ? EvidenceException.Damaged("item", "why")
            : parameter.ParameterType.IsAssignableFrom(typeof(ValidationError[])) ? Array.Empty<ValidationError>()
            : throw new InvalidOperationException($"{method} takes a {parameter.ParameterType}"));
        var problem = (ProblemDetails)((IValueHttpResult)method.Invoke(null, [.. arguments])!).Value!;
        var kind = problem.Type == "about:blank" ? "" : $" {problem.Type!.Split(':')[^1]}";
        return $"{problem.Status}{kind}";
    }
}
