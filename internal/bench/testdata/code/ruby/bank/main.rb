class Account
  attr_reader :owner, :history

  def initialize(owner, balance: 0)
    @owner = owner
    @balance = balance
    @history = []
  end

  def deposit(amount)
    validate!(amount)
    @balance += amount
    record(:deposit, amount)
    self
  end

  def withdraw(amount)
    raise InsufficientFunds.new(self, amount) if amount > @balance

    @balance -= amount
    record(:withdraw, amount)
  end

  private

  def validate!(amount)
    raise ArgumentError, "bad" unless amount.positive?
  end

  def record(type, amount)
    @history << Entry.new(type, amount)
  end
end

class InsufficientFunds < StandardError
  attr_reader :account

  def initialize(account, amount)
    @account = account
    super("need #{amount}")
  end

  def hint = "ask #{account.owner.name}"
end

Entry = Struct.new(:type, :amount) do
  def to_s = format_line(type)
  def format_line(t) = t.to_s
end

class Person
  attr_accessor :name

  def initialize(name) = @name = name

  def <=>(other)
    name <=> other.name
  end
end

class Bank
  def initialize
    @accounts = Hash.new { |h, k| h[k] = [] }
    @listeners = []
  end

  def on_change(&listener)
    @listeners << listener
  end

  def open(owner, **opts)
    account = Account.new(owner, **opts)
    @accounts[owner.name] << account
    notify(account)
    account
  end

  def total
    @accounts.values.flatten.sum { |a| a.history.size }
  end

  def each_account
    return to_enum(__method__) unless block_given?

    @accounts.each_value do |list|
      list.each { |a| yield a }
    end
  end

  private

  def notify(account)
    @listeners.each { |l| l.call(account) }
  end
end

def report(account)
  account.history.each { |e| puts e.to_s }
end

bank = Bank.new
bank.on_change { |a| report(a) }
account = bank.open(Person.new("Ann"), balance: 5)
begin
  account.deposit(3).withdraw(10)
rescue InsufficientFunds => e
  puts e.hint
end
bank.each_account { |a| report(a) }
bank.total
