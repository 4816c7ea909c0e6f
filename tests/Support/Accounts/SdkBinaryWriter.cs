using Microsoft.Azure.Cosmos;

namespace ScaleOut.Tests.Support.Accounts;

/// <summary>
/// The SDK's own conversion of JSON text, the one that it sends with <c>AZURE_COSMOS_BINARY_ENCODING_ENABLED</c>. It is internal there.
/// </summary>
internal static class SdkBinaryWriter
{
    private const string BinaryFormat = "Binary";

    private static readonly MethodInfo Convert = typeof(CosmosClient).Assembly
        .GetType("Microsoft.Azure.Cosmos.CosmosSerializationUtil", throwOnError: true)!
        .GetMethod("ConvertToStreamUsingJsonSerializationFormat", BindingFlags.NonPublic | BindingFlags.Static)!;

    /// <summary>The binary form of a JSON text.</summary>
    public static byte[] Write(string json)
    {
        var format = Enum.Parse(Convert.GetParameters()[1].ParameterType, BinaryFormat);
        using var stream = (MemoryStream)Convert.Invoke(null, [new ReadOnlyMemory<byte>(Encoding.UTF8.GetBytes(json)), format])!;
        return stream.ToArray();
    }
}
