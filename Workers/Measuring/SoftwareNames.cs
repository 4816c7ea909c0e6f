using System.Reflection;
using System.Runtime.InteropServices;
using Microsoft.Azure.Cosmos;

namespace ScaleOut.Workers.Measuring;

/// <summary>Names and versions of the software that this process runs with.</summary>
public static class SoftwareNames
{
    /// <summary>Digits of a commit that are shown.</summary>
    private const int CommitDigits = 8;

    /// <summary>Version of the Cosmos DB SDK.</summary>
    public static string SdkVersion { get; } = VersionOf(typeof(CosmosClient).Assembly).Split('+')[0];

    /// <summary>This program, with the commit that it was built from.</summary>
    public static string Program { get; } = $"ScaleOut {ShortVersion(VersionOf(typeof(SoftwareNames).Assembly))}";

    public static MachineSoftware Here { get; } = new(
        Program, $"Microsoft.Azure.Cosmos {SdkVersion}", RuntimeInformation.FrameworkDescription,
        $"{RuntimeInformation.OSDescription.Trim()} ({RuntimeInformation.OSArchitecture.ToString().ToLowerInvariant()})");

    /// <summary>A version whose commit, which stands behind a plus, is cut short.</summary>
    internal static string ShortVersion(string version) => version.Split('+') is [var number, { Length: > CommitDigits } commit]
        ? $"{number}+{commit[..CommitDigits]}"
        : version;

    private static string VersionOf(Assembly assembly) =>
        assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "";
}
