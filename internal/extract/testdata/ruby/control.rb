def control(input, opts)
  value = if input.ready?
    input.read
  elsif other
    fallback
  else
    Default.new
  end
  kind = case value
         when String, Symbol then as_text(value)
         when ->(v) { v.odd? } then odd
         else unknown
         end
  case value
  in { name: String => name, age:, **rest }
    greet(name, age)
  in [first, [second, *], *others] if first.ok?
    first.join(second)
  in Point(x:, y:) | nil
    x
  in Shape => shape
    shape.area
  end
  begin
    risky
  rescue IOError, Timeout::Error => e
    log(e.message)
    retry
  rescue Custom => custom
    custom.explain
  else
    fine
  ensure
    cleanup
  end
  quiet = risky rescue nil
  a, (b, *c), d = triple
  e, f = 1, Maker.new
  f.run
  for item in list do item.go end
  while line = input.gets do line.strip end
  until done? do step end
  config[:key] ||= compute
  opts.level ||= 3
  obj&.maybe&.again "x", key: 1
  text = "a #{interpolated(1)} b #{value}"
  /x#{pattern}/ =~ text
  `ls #{directory}`
  doc = <<~TEXT
    here #{inside.doc}
  TEXT
  puts(*list, **opts)
  value && other || third
  not value
  defined?(never_called)
  unless value then return 1, 2 end
  x = y = z = shared
  [one, *two]
  { one => two, "three" => 3, value: }
  value ? yes : no
  -value
  1..last
  print "done" if value and finished
  raise Custom, "bad" unless value
  doc
ensure
  final
end

BEGIN { early }
END { late }
