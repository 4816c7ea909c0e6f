using Jint;
using Jint.Native;

namespace ScaleOut.Simulator.Engine.Scripts;

/// <summary>Calls the user-defined functions of a container, for one page of a query, which has the time of one run.</summary>
internal sealed class UserFunctions(ContainerScripts scripts, ScriptLimits limits) : IUserFunctions
{
    private readonly Dictionary<string, JsValue> _loaded = new(StringComparer.Ordinal);
    private ScriptEngine? _engine;

    /// <exception cref="RequestException">400: there is no such function, or it threw an exception. 408: it took too long.</exception>
    public Datum Call(string name, ReadOnlySpan<Datum> arguments)
    {
        if (_engine?.Budget.IsWorn != false)
            Renew();
        _engine!.Budget.Restart();
        if (!_loaded.TryGetValue(name, out var function))
            _loaded[name] = function = _engine.Load(scripts.Find(ScriptKind.UserDefinedFunction, name) ?? throw NotFound(name));
        var values = new JsValue[arguments.Length];
        for (var i = 0; i < values.Length; i++)
            values[i] = ToScript(arguments[i]);
        return _engine.Run(() => FromScript(_engine.Call(function, values)));
    }

    public void Dispose() => _engine?.Dispose();

    public static RequestException NotFound(string name) =>
        RequestException.BadRequest($"The query calls the user-defined function '{name}', which the container does not have.");

    /// <summary>Begins with an interpreter that keeps nothing, in the time that is left.</summary>
    private void Renew()
    {
        var left = _engine?.Budget.TimeLeft ?? limits.Time;
        _loaded.Clear();
        Dispose();
        _engine = new ScriptEngine(limits with { Time = left });
    }

    private JsValue ToScript(Datum value) => value.Type switch
    {
        DatumType.Undefined => JsValue.Undefined,
        DatumType.Null => JsValue.Null,
        DatumType.True or DatumType.False => value.IsTrue,
        DatumType.Number => value.Number,
        DatumType.Text => value.Text,
        _ => _engine!.Parse(Encoding.UTF8.GetBytes(DatumJson.ToText(value))),
    };

    private Datum FromScript(JsValue value) =>
        value.IsString() ? Datum.From(value.AsString())
        : value.IsNumber() ? Datum.From(value.AsNumber())
        : value.IsBoolean() ? Datum.From(value.AsBoolean())
        : _engine!.ToJson(value) is { } json ? DatumJson.Parse(json)
        : Datum.Undefined;
}
