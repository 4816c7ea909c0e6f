using FsCheck;
using FsCheck.Fluent;
using Microsoft.Azure.Cosmos;

namespace ScaleOut.Tests.Shared.PartitionKeys;

public sealed class EffectivePartitionKeyTests
{
    private static readonly Config Bounded = Config.QuickThrowOnFailure.WithMaxTest(2_000).WithReplay(20260101, 7);

    public static TheoryData<PartitionKeyVersion> Versions => [PartitionKeyVersion.V1, PartitionKeyVersion.V2];

    public static MatrixTheoryData<PartitionKeyVersion, string> SpecialKeys => new(
        [PartitionKeyVersion.V1, PartitionKeyVersion.V2],
        [
            "null", "true", "false", "{}", "\"\"", "\"a\"", "0", "-0.0", "1", "-1", "0.1", "1e300", "-1e-300", "9007199254740993",
            "4294967296",
            $"\"{new string('x', 99)}\"", $"\"{new string('x', 100)}\"", $"\"{new string('x', 101)}\"", $"\"{new string('x', 1000)}\"",
            $"\"{new string('ü', 100)}\"", $"\"{new string('ü', 101)}\"", $"\"{string.Concat(Enumerable.Repeat("😀", 50))}y\"",
            $"\"{new string('x', 98)}😀tail\"", "\"日本語テキスト\"", "\"with \\\"quotes\\\" and \\u0000\"",
        ]);

    [Theory, MemberData(nameof(SpecialKeys))]
    public void From_SpecialKey_IsWhatTheSdkComputes(PartitionKeyVersion version, string key) => AssertLikeSdk(version, key);

    [Theory, MemberData(nameof(Versions))]
    public void From_AnyNumber_IsWhatTheSdkComputes(PartitionKeyVersion version) =>
        Check.One(Bounded,
            Prop.ForAll(ArbMap.Default.ArbFor<NormalFloat>(), number => AssertLikeSdk(version, JsonSerializer.Serialize(number.Get))));

    [Theory, MemberData(nameof(Versions))]
    public void From_AnyText_IsWhatTheSdkComputes(PartitionKeyVersion version) =>
        Check.One(Bounded, Prop.ForAll(ArbMap.Default.ArbFor<NonNull<string>>(), Gen.Choose(1, 30).ToArbitrary(), (text, times) =>
            AssertLikeSdk(version, JsonSerializer.Serialize(string.Concat(Enumerable.Repeat(WithoutLoneSurrogates(text.Get), times))))));

    [Fact]
    public void From_TextCutInsideASurrogatePair_EndsWithTheReplacementCharacter()
    {
        // Only our own rule can be stated here: the SDK throws for such a key in strict mode, the service replaces the half.
        var cut = new string('x', 99) + "\uFFFD";
        var pair = new string('x', 99) + "😀";

        Assert.Equal(
            EffectivePartitionKey.From(PartitionKeyVersion.V1, PartitionKeyValue.From(cut)),
            EffectivePartitionKey.From(PartitionKeyVersion.V1, PartitionKeyValue.From(pair)));
    }

    [Theory]
    [InlineData("""["contoso","alice"]""")]
    [InlineData("""["contoso","alice","s-1"]""")]
    [InlineData("""["","日本語","with \"quotes\""]""")]
    public void TextOf_SeveralValues_IsWhatTheSdkComputes(string key) => Assert.Equal(
        SdkPartitionKeys.EffectivePartitionKey(PartitionKeyDefinitionVersion.V2, key),
        EffectivePartitionKey.TextOf(JsonSerializer.Deserialize<string[]>(key)!));

    [Theory]
    [InlineData("")]
    [InlineData("FF")]
    [InlineData("05C1E0")]
    [InlineData("05C1D9CDE3F10A")]
    public void Parse_EdgeOfVersion1_ComesBackFromToEdge(string edge) =>
        Assert.Equal(edge, EffectivePartitionKey.Parse(edge).ToEdge(PartitionKeyVersion.V1));

    [Fact]
    public void Parse_NoHex_Throws() => Assert.Throws<FormatException>(() => EffectivePartitionKey.Parse("xyz"));

    private static void AssertLikeSdk(PartitionKeyVersion version, string key)
    {
        var expected = SdkPartitionKeys.EffectivePartitionKey((PartitionKeyDefinitionVersion)(int)version, $"[{key}]");
        var actual = Compute(version, key);

        // Version 1 appends the value to the hash; ours is the hash.
        var edge = actual.ToEdge(version);
        Assert.True(expected.StartsWith(edge, StringComparison.Ordinal), $"{key}: {expected} does not begin with {edge}");
        Assert.True(version == PartitionKeyVersion.V2 ? expected == edge : edge.Length >= 6, $"{key}: {expected} against {edge}");
        Assert.True(EffectivePartitionKey.Parse(expected).Position >= actual.Position);
    }

    private static EffectivePartitionKey Compute(PartitionKeyVersion version, string key)
    {
        if (key == "{}")
            return EffectivePartitionKey.From(version, PartitionKeyValue.Undefined);
        var json = Encoding.UTF8.GetBytes(key);
        var reader = new Utf8JsonReader(json);
        reader.Read();
        Assert.True(PartitionKeyValue.TryRead(ref reader, new byte[json.Length], out var value));
        return EffectivePartitionKey.From(version, value);
    }

    private static string WithoutLoneSurrogates(string text) => string.Concat(text.Where(character => !char.IsSurrogate(character)));
}
