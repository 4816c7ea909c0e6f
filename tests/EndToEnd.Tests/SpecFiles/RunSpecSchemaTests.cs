using System.Numerics;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using NJsonSchema;
using JsonSerializer = System.Text.Json.JsonSerializer;

namespace ScaleOut.Tests.EndToEnd.SpecFiles;

public sealed class RunSpecSchemaTests
{
    [Fact]
    public void File_OfTheRepository_IsWhatValidationAccepts() => GeneratedText.AssertIs(
        "plans/run.schema.json", RunSpecReader.Schema().ToJsonString(ScaleOutJson.Indented) + "\n", "SCALEOUT_REWRITE_SCHEMA",
        nameof(RunSpecSchemaTests));

    [Fact(Explicit = true)]
    [Trait("Duration", "Long")]
    public async Task Read_MutatedSpec_AgreesWithTheSchema()
    {
        var schema = await JsonSchema.FromJsonAsync(RunSpecReader.Schema().ToJsonString(), TestContext.Current.CancellationToken);
        var (accepted, rejected, beyond) = (0, 0, 0);
        for (var seed = 0; seed < 2_000; seed++)
        {
            var random = new Random(seed);
            var spec = ValidSpec(random);
            for (var changes = random.Next(2); changes >= 0; changes--)
            {
                if (random.Next(2) == 0)
                    SpecMutations.Graft(spec, ValidSpec(random), random);
                else
                    SpecMutations.Apply(spec, random);
            }

            var text = spec.ToJsonString();

            var fits = schema.Validate(Parse(text)).Count == 0;
            var reading = RunSpecReader.Read(text);

            Assert.True(fits == reading.Errors.All(error => error.BeyondSchema),
                $"seed {seed}: the schema {(fits ? "accepts" : "rejects")}, the reader says [{string.Join("; ", reading.Errors)}]\n{text}");
            Assert.Equal(reading.Errors.Count == 0, reading.Value is not null);
            _ = !fits ? rejected++ : reading.Value is null ? beyond++ : accepted++;
        }

        // Otherwise the mutations would show nothing.
        Assert.True(accepted > 200 && rejected > 500 && beyond > 100,
            $"{accepted} accepted, {rejected} rejected, {beyond} rejected by the reader alone");
    }

    private static JsonObject ValidSpec(Random random) =>
        JsonSerializer.SerializeToNode(SpecGenerators.Valid(random), ScaleOutJson.Compact)!.AsObject();

    // This validator recognizes integers by their notation, where a schema goes by the value (1.0 is an integer). It cannot compare
    // integers beyond 64 bits.
    private static JToken Parse(string text)
    {
        using var reader = new JsonTextReader(new StringReader(text)) { DateParseHandling = DateParseHandling.None };
        var root = JToken.ReadFrom(reader);
        foreach (var number in root.SelectTokens("$..*").OfType<JValue>().ToList())
        {
            if (number.Value is double value && Math.Abs(value) < 1e15 && value == Math.Truncate(value))
                number.Replace(new JValue((long)value));
            else if (number.Value is BigInteger or double.PositiveInfinity or double.NegativeInfinity)
                number.Replace(new JValue(1e25));
        }

        return root;
    }
}
