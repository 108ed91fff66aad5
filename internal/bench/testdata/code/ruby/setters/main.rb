class Account
  def balance
    @balance || zero
  end

  def balance=(n)
    audit(n)
    @balance = n
  end

  def audit(n) = n
  def zero = 0

  def deposit(n)
    self.balance += n
  end

  def reset
    self.balance = zero
  end

  def limit
    @limit
  end

  def limit=(n)
    @limit = n
  end
end

acct = Account.new
acct.balance = 5
acct.balance += 1
acct.limit ||= 10
acct.deposit(2)
acct.reset
