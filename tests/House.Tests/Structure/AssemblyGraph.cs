using Mono.Cecil;
using ICustomAttributeProvider = Mono.Cecil.ICustomAttributeProvider;

namespace ScaleOut.Tests.Structure;

/// <summary>Which types of a compiled assembly use which others: in signatures, attributes, generic arguments and method bodies.</summary>
internal static class AssemblyGraph
{
    /// <summary>A use of one of the assembly's own types by another; both are outermost types, named in full.</summary>
    public sealed record Use(string From, string FromNamespace, string To, string ToNamespace);

    /// <summary>Reads an assembly. The types of its attributes are looked for beside this program and in its frameworks.</summary>
    public static ModuleDefinition Read(string file)
    {
        var resolver = new DefaultAssemblyResolver();
        var platform = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator);
        foreach (var folder in platform.Select(path => Path.GetDirectoryName(path)!).Distinct())
            resolver.AddSearchDirectory(folder);
        return ModuleDefinition.ReadModule(file, new ReaderParameters { AssemblyResolver = resolver });
    }

    /// <summary>Uses between the assembly's namespaces. Types without a namespace, which compilers make, are left out.</summary>
    public static IReadOnlyList<Use> UsesBetweenNamespaces(ModuleDefinition module) =>
    [
        .. UsesIn(module)
            .Where(use => use.To is TypeDefinition to && to.Module == module && use.From.Namespace != to.Namespace)
            .Where(use => use.From.Namespace.Length > 0 && use.To.Namespace.Length > 0)
            .Select(use => new Use(use.From.FullName, use.From.Namespace, use.To.FullName, use.To.Namespace))
            .Distinct().OrderBy(use => use.From, StringComparer.Ordinal).ThenBy(use => use.To, StringComparer.Ordinal),
    ];

    /// <summary>Full names of the types that use another assembly.</summary>
    public static IReadOnlyList<string> UsesOf(ModuleDefinition module, string assembly) =>
    [
        .. UsesIn(module).Where(use => use.To.Scope.Name == assembly).Select(use => use.From.FullName).Distinct()
            .Order(StringComparer.Ordinal),
    ];

    /// <summary>The assembly's own types that the public members of one of them show, and that must be public as well.</summary>
    public static IEnumerable<TypeDefinition> ShownBy(TypeDefinition type) => Shown(type).SelectMany(Parts).OfType<TypeDefinition>()
        .Where(other => other.Module == type.Module).Distinct();

    private static IEnumerable<(TypeDefinition From, TypeReference To)> UsesIn(ModuleDefinition module) =>
        from type in module.Types
        from used in Used(type).SelectMany(Parts).Distinct()
        select (type, used);

    private static IEnumerable<TypeReference?> Used(TypeDefinition type) =>
    [
        .. SignatureOf(type), .. Attributes(type),
        .. type.Fields.SelectMany(field => Attributes(field).Append(field.FieldType)),
        .. type.Properties.SelectMany(Attributes),
        .. type.Methods.SelectMany(method => SignatureOf(method).Concat(Attributes(method)).Concat(UsedByBody(method))),
        .. type.NestedTypes.SelectMany(Used),
    ];

    private static IEnumerable<TypeReference?> Shown(TypeDefinition type) =>
    [
        .. SignatureOf(type),
        .. type.Fields.Where(field => field.IsPublic || field.IsFamily).Select(field => field.FieldType),
        .. type.Methods.Where(method => method.IsPublic || method.IsFamily).SelectMany(SignatureOf),
        .. type.NestedTypes.Where(nested => nested.IsNestedPublic || nested.IsNestedFamily).SelectMany(Shown),
    ];

    private static IEnumerable<TypeReference?> SignatureOf(TypeDefinition type) =>
        [type.BaseType, .. Constraints(type), .. type.Interfaces.Select(implemented => implemented.InterfaceType)];

    private static IEnumerable<TypeReference?> SignatureOf(MethodDefinition method) =>
        [method.ReturnType, .. Constraints(method), .. method.Parameters.Select(parameter => parameter.ParameterType)];

    private static IEnumerable<TypeReference?> UsedByBody(MethodDefinition method)
    {
        var parameters = method.Parameters.SelectMany(Attributes);
        return !method.HasBody ? parameters :
        [
            .. parameters,
            .. method.Body.Variables.Select(variable => variable.VariableType),
            .. method.Body.ExceptionHandlers.Select(handler => handler.CatchType),
            .. method.Body.Instructions.SelectMany(instruction => UsedBy(instruction.Operand)),
        ];
    }

    private static IEnumerable<TypeReference?> UsedBy(object? operand) => operand switch
    {
        TypeReference type => [type],
        FieldReference field => [field.DeclaringType, field.FieldType],
        MethodReference method =>
        [
            method.DeclaringType, method.ReturnType, .. method.Parameters.Select(parameter => parameter.ParameterType),
            .. (method as GenericInstanceMethod)?.GenericArguments ?? [],
        ],
        _ => [],
    };

    private static IEnumerable<TypeReference?> Attributes(ICustomAttributeProvider provider) => provider.CustomAttributes.SelectMany(
        attribute => attribute.ConstructorArguments.Select(argument => argument.Value).OfType<TypeReference>()
            .Prepend(attribute.AttributeType));

    private static IEnumerable<TypeReference?> Constraints(IGenericParameterProvider provider) => provider.GenericParameters
        .SelectMany(parameter => parameter.Constraints).Select(constraint => constraint.ConstraintType);

    /// <summary>The outermost types that a type is composed of.</summary>
    private static IEnumerable<TypeReference> Parts(TypeReference? type) => type switch
    {
        null or GenericParameter => [],
        GenericInstanceType generic => Parts(generic.ElementType).Concat(generic.GenericArguments.SelectMany(Parts)),
        RequiredModifierType modified => Parts(modified.ElementType).Concat(Parts(modified.ModifierType)),
        TypeSpecification specification => Parts(specification.ElementType),
        { DeclaringType: { } outer } => Parts(outer),
        _ => [type],
    };
}
