namespace ScaleOut.DevBox.Commands;

/// <summary><c>init</c>: writes a spec from the replies to six questions, each of which may be given as an option.</summary>
internal sealed class InitCommand
{
    private readonly Argument<string> _file = new("spec.jsonc") { Description = "The file to write. One that is there stays as it is." };

    public Command Create() => new CommandWithExamples(
        "init",
        "Asks six questions, and writes a spec with comments on what each field does.",
        RunAsync,
        ("init my.jsonc", "asks what the options below do not say"),
        ("init my.jsonc --partition-key customerId --throughput 20000", "asks for the rest"))
    {
        _file, InitialSpec.Questions.Select(question => question.Option),
    };

    private async Task<int> RunAsync(CommandInput input, CancellationToken cancellationToken)
    {
        var errors = input.Errors();
        var file = input.Value(_file);
        if (file is not null && Path.Exists(file))
            errors.Add([$"{file}: is there already, and no file is overwritten."]);
        var given = InitialSpec.Questions.Where(question => input.Value(question.Option) is not null)
            .ToDictionary(question => question, question => input.Value(question.Option)!);
        errors.Add(InitialSpec.ErrorsOf(given));
        var open = InitialSpec.Questions.Where(question => !given.ContainsKey(question)).ToList();
        if (Console.IsInputRedirected)
            errors.Add(open.Select(question => $"{question.Option.Name}: is missing, and there is no terminal to ask at: {question.Text}"));
        errors.ThrowIfAny();

        foreach (var question in open)
            given[question] = InitialSpec.Ask(question, given, Console.In, ConsolePage.Output);
        await WriteAsync(file!, InitialSpec.TextOf(given), cancellationToken);
        Console.WriteLine($"written: {file}");
        Console.WriteLine($"  what it will take:  devbox validate {file}");
        Console.WriteLine($"  run it:             devbox run {file}");
        return ExitCode.Complete;
    }

    /// <exception cref="InputException">The file is there, or cannot be written.</exception>
    private static async Task WriteAsync(string file, string text, CancellationToken cancellationToken)
    {
        try
        {
            await using var stream = new FileStream(file, FileMode.CreateNew, FileAccess.Write);
            await stream.WriteAsync(Encoding.UTF8.GetBytes(text), cancellationToken);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new InputException($"{file}: cannot be written: {OneLine.From(e.Message)}");
        }
    }
}

/// <summary>A question that <c>init</c> asks, and the option that sets it.</summary>
/// <param name="Default">The reply to an empty line.</param>
internal sealed record InitQuestion(SpecOption Option, string Text, string Default);

/// <summary>The spec that <c>init</c> writes.</summary>
internal static class InitialSpec
{
    private const int Columns = 110;

    /// <summary>Columns that a question leaves free for the reply.</summary>
    private const int ReplyColumns = 12;

    private static readonly RunSpec Defaults = new();

    private static readonly InitQuestion Document = new(
        new("--document", "document.kind", "template|perfTest|device", "What the documents look like; template is a JSON object to edit."),
        "What do the documents look like? template (a JSON object that you edit), perfTest (155 bytes) or device (640 bytes)", "template");

    private static readonly InitQuestion Key = new(
        new PartitionKeyOption(),
        "Which property is the partition key (a,b for two levels)? Of perfTest PartitionKey or id, of device id or ownerId", "customerId");

    private static readonly InitQuestion Workload = new(
        new("--workload", "workload.kind", "insert|upsert|bulk|read|delete", "What the workers do with the documents."),
        "What is done with them? insert, upsert, bulk, read or delete", "insert");

    /// <summary>All questions, in the order in which they are asked.</summary>
    public static IReadOnlyList<InitQuestion> Questions { get; } =
    [
        Document,
        Key,
        Workload,
        new(new("--documents", "documents"), "How many documents, or operations on them?", "100000"),
        new(new("--workers", "workers"), "How many workers share them? Each is a client of its own", "4"),
        new(new("--throughput", "container.throughput", "RU/s"), "How many RU/s does the container have?", "20000"),
    ];

    /// <summary>Checks the replies so far, and returns what is wrong with them. Questions without a reply get their defaults.</summary>
    public static IReadOnlyList<string> ErrorsOf(IReadOnlyDictionary<InitQuestion, string> replies)
    {
        var options = replies.Keys.Select(question => question.Option).ToList();
        var errors = new List<string>();
        foreach (var question in new[] { Document, Workload }.Where(replies.ContainsKey))
        {
            var names = question.Option.HelpName!.Split('|');
            if (!names.Contains(replies[question]))
                errors.Add($"{question.Option.Name}: {ErrorText.Quote(replies[question])} is not one of {string.Join(", ", names)}");
        }

        // The whole spec is checked only after these, because an invalid kind causes further errors that mislead.
        return errors.Count > 0
            ? errors
            : [.. RunSpecReader.Read(FieldsOf(replies)).Errors.Select(error => SpecOption.Describe(error, file: null, options).Line)];
    }

    /// <summary>Asks a question until its reply is valid together with the given ones.</summary>
    /// <exception cref="InputException">The input ended.</exception>
    public static string Ask(
        InitQuestion question, IReadOnlyDictionary<InitQuestion, string> given, TextReader input, TextWriter output)
    {
        var usual = UsualOf(question, given);
        while (true)
        {
            var lines = WrappedLines.From($"{question.Text} [{usual}]:", WrappingWriter.ColumnsOf(output) - ReplyColumns);
            foreach (var full in lines.SkipLast(1))
                output.WriteLine(full);
            output.Write($"{lines[^1]} ");
            output.Flush();
            var line = input.ReadLine()
                ?? throw new InputException($"{question.Option.Name}: is missing: the input ended before the reply.");
            var reply = line.Trim() is { Length: > 0 } text ? text : usual;
            var errors = ErrorsOf(new Dictionary<InitQuestion, string>(given) { [question] = reply });
            if (errors.Count == 0)
                return reply;
            foreach (var error in errors)
                output.WriteLine($"  {error}");
        }
    }

    /// <summary>The spec's text, with a comment above each field.</summary>
    /// <param name="replies">The replies to all questions.</param>
    public static string TextOf(IReadOnlyDictionary<InitQuestion, string> replies)
    {
        var text = new StringBuilder("// A spec for `devbox run`. docs/reference.md lists all fields.\n");
        Write(text, FieldsOf(replies), RunSpecReader.Schema(), indent: "");
        return text.Append('\n').ToString();
    }

    private static string UsualOf(InitQuestion question, IReadOnlyDictionary<InitQuestion, string> given) =>
        question != Key ? question.Default
        : given.GetValueOrDefault(Document, Document.Default) switch
        {
            "perfTest" => "PartitionKey",
            "device" => "id",
            _ => Key.Default,
        };

    private static JsonObject FieldsOf(IReadOnlyDictionary<InitQuestion, string> replies)
    {
        var keys = PartitionKeyOption.PropertiesIn(replies.GetValueOrDefault(Key, UsualOf(Key, replies)));
        var kind = replies.GetValueOrDefault(Workload) == "bulk" ? WorkloadKind.Bulk : WorkloadKind.Insert;
        var client = (Defaults with { Workload = Defaults.Workload with { Kind = kind } }).SettingsOf(0);
        var fields = new JsonObject
        {
            ["documents"] = null,
            ["workers"] = null,
            ["workload"] = new JsonObject { ["kind"] = null },
            ["client"] = new JsonObject { ["connectionMode"] = $"{client.ConnectionMode}", ["concurrency"] = client.Concurrency },
            ["document"] = new JsonObject { ["kind"] = null },
            ["container"] = new JsonObject { ["partitionKeyPath"] = null, ["throughput"] = null },
        };
        foreach (var question in Questions)
            question.Option.Set(fields, replies.GetValueOrDefault(question, UsualOf(question, replies)));

        if ((string?)fields["document"]!["kind"] == "template")
            fields["document"]!["template"] = TemplateWith(keys);
        return fields;
    }

    private static JsonObject TemplateWith(IReadOnlyList<string> keys)
    {
        var template = new JsonObject { ["id"] = "{{id}}" };
        foreach (var key in keys.Where(key => key != "id" && !key.Contains("{{", StringComparison.Ordinal)))
            template[key] = $"{key}-{{{{zipf:1:20000:0.7}}}}";
        template["number"] = template["number"]?.DeepClone() ?? "{{number}}";
        template["status"] = template["status"]?.DeepClone() ?? "{{pick:placed,paid,shipped}}";
        template["amount"] = template["amount"]?.DeepClone() ?? "{{random:number:10:900}}";
        template["note"] = template["note"]?.DeepClone() ?? "{{random:text:300}}";
        return template;
    }

    private static void Write(StringBuilder text, JsonObject fields, JsonObject schema, string indent)
    {
        text.Append("{\n");
        var inner = $"{indent}  ";
        var last = fields.Count - 1;
        foreach (var (index, (name, value)) in fields.Index())
        {
            var about = schema["properties"]?[name]?.AsObject();
            foreach (var line in WrappedLines.From((string?)about?["description"] ?? "", Columns).Where(line => line.Length > 0))
                text.Append(inner).Append("// ").Append(line.Trim()).Append('\n');
            text.Append(inner).Append(JsonSerializer.Serialize(name, ScaleOutJson.Compact)).Append(": ");
            if (value is JsonObject below)
                Write(text, below, about ?? [], inner);
            else
                text.Append(value?.ToJsonString(ScaleOutJson.Compact) ?? "null");
            text.Append(index == last ? "\n" : ",\n");
        }

        text.Append(indent).Append('}');
    }
}
